package dev.superstep.sandbox.internal.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/// Processes that a command started and that have let go of it: in the background, in a session of
/// their own, as daemons. They are known by two marks that a process inherits and that Linux shows
/// in `/proc`: a variable, and a limit on the time of realtime processes so high that it limits
/// nothing. A process can lose the first by changing its environment and the second by lowering the
/// limit; one that does both is not found. On other systems none is.
///
/// @param mark the value of the variable, no other command's
/// @param limit the value of the limit in microseconds, no other command's
public record OrphanProcesses(String mark, long limit) {
  /// The variable.
  public static final String VARIABLE = "SUPERSTEP_COMMAND";

  private static final Path PROCESSES = Path.of("/proc");
  private static final int FILE_MAX = 8_388_608;
  // A process may start others while it is looked for.
  private static final int ROUNDS_MAX = 1_000;
  private static final long LIMIT_MIN = 1L << 50; // 35 years
  private static final long LIMIT_MAX = 1L << 51;

  /// Marks that no other command has.
  public static OrphanProcesses fresh() {
    long limit = new SplittableRandom().nextLong(LIMIT_MIN, LIMIT_MAX);
    return new OrphanProcesses(UUID.randomUUID().toString(), limit);
  }

  /// Kills them all.
  ///
  /// @return how many there were
  public int kill() {
    var killed = new HashSet<Long>();
    for (int round = 0; round < ROUNDS_MAX; round++) {
      var alive = find();
      if (alive.isEmpty()) break;
      for (var one : alive) {
        killed.add(one.pid());
        one.destroyForcibly();
      }
    }
    return killed.size();
  }

  /// Returns the processes that run now. A process that has ended shows neither mark, even before
  /// its exit code is read.
  public List<ProcessHandle> find() {
    var found = new ArrayList<ProcessHandle>();
    if (!Files.isDirectory(PROCESSES)) return found;
    try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (var directory : processes) {
        long pid = Long.parseLong(directory.getFileName().toString());
        // First the handle: it knows when its process began, so no later one is taken for it.
        var handle = ProcessHandle.of(pid);
        if (handle.isPresent() && isMarked(directory)) found.add(handle.get());
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException _) {
      return found; // what could be seen
    }
    return found;
  }

  private boolean isMarked(Path directory) {
    return text(directory.resolve("environ")).contains(VARIABLE + "=" + mark)
        || text(directory.resolve("limits")).contains(" " + limit + " ") && !hasEnded(directory);
  }

  /// The limits of a process show on until someone has waited for it.
  private static boolean hasEnded(Path directory) {
    var stat = text(directory.resolve("stat"));
    int name = stat.lastIndexOf(')');
    return name < 0 || stat.startsWith(") Z", name) || stat.startsWith(") X", name);
  }

  private static String text(Path file) {
    // Not by a channel: those do not read for a thread that is interrupted.
    try (var in = new FileInputStream(file.toFile())) {
      return new String(in.readNBytes(FILE_MAX), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return ""; // ended since, or another user's
    }
  }
}
