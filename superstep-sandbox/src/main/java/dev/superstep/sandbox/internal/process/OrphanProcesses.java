package dev.superstep.sandbox.internal.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
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
/// @param since the time after the start of the machine, in the hundredths of seconds of `/proc`,
///   from which on they have started
public record OrphanProcesses(String mark, long limit, long since) {
  /// The variable.
  public static final String VARIABLE = "SUPERSTEP_COMMAND";

  private static final Path PROCESSES = Path.of("/proc");
  private static final int STARTED = 22; // its field in the line of a process
  private static final int LINE_BYTES = 4_096;
  private static final int FILE_MAX = 8_388_608;
  // A process may start others while it is looked for.
  private static final int ROUNDS_MAX = 1_000;
  private static final long LIMIT_MIN = 1L << 50; // 35 years
  private static final long LIMIT_MAX = 1L << 51;

  /// Marks that no other command has.
  public static OrphanProcesses fresh() {
    long limit = new SplittableRandom().nextLong(LIMIT_MIN, LIMIT_MAX);
    return new OrphanProcesses(UUID.randomUUID().toString(), limit, now() - 1);
  }

  /// 0 where that is not known: then every process may be one.
  private static long now() {
    var text = text(PROCESSES.resolve("uptime"));
    int end = text.indexOf(' ');
    try {
      return end < 0 ? 0 : new BigDecimal(text.substring(0, end)).movePointRight(2).longValue();
    } catch (NumberFormatException _) {
      return 0;
    }
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
    var names = new File("/proc").list();
    if (names == null) return found;
    var line = new byte[LINE_BYTES];
    for (var name : names) {
      if (name.charAt(0) < '0' || name.charAt(0) > '9') continue;
      var directory = PROCESSES.resolve(name);
      // Most are older, and their marks need not be read.
      if (started(line(directory, line)) < since) continue;
      // First the handle: it knows when its process began, so no later one is taken for it.
      var handle = ProcessHandle.of(Long.parseLong(name));
      if (handle.isPresent() && isMarked(directory)) found.add(handle.get());
    }
    return found;
  }

  private boolean isMarked(Path directory) {
    return text(directory.resolve("environ")).contains(VARIABLE + "=" + mark)
        || (text(directory.resolve("limits")).contains(" " + limit + " ") && !hasEnded(directory));
  }

  /// The limits of a process show on until someone has waited for it.
  private static boolean hasEnded(Path directory) {
    var stat = line(directory, new byte[LINE_BYTES]);
    int name = stat.lastIndexOf(')');
    return name < 0 || stat.startsWith(") Z", name) || stat.startsWith(") X", name);
  }

  /// The time of its start; the last there is where its line cannot be read.
  private static long started(String stat) {
    int at = stat.lastIndexOf(')');
    for (int field = 2; at >= 0 && field < STARTED; field++) at = stat.indexOf(' ', at + 1);
    int end = stat.indexOf(' ', at + 1);
    return at < 0 || end < 0 ? Long.MAX_VALUE : Long.parseLong(stat.substring(at + 1, end));
  }

  /// The line of a process, which is short: it has numbers and a name of 15 characters.
  private static String line(Path directory, byte[] memory) {
    try (var in = new FileInputStream(directory + "/stat")) {
      int read = in.read(memory);
      return new String(memory, 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
    } catch (IOException _) {
      return ""; // ended since
    }
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
