package dev.superstep.workspace;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

/// Processes that a command started and that have let go of it: in the background, in a session of
/// their own, as daemons. They are known by a variable that they inherit and that Linux shows in
/// `/proc`; so not one that has changed its environment, nor one of another user, and none on other
/// systems.
///
/// @param mark the value of the variable, no other command's
record OrphanProcesses(String mark) {
  static final String VARIABLE = "SUPERSTEP_COMMAND";
  private static final Path PROCESSES = Path.of("/proc");
  private static final int ENVIRONMENT_MAX = 8_388_608;
  // A process may start others while it is looked for.
  private static final int ROUNDS_MAX = 100;

  static OrphanProcesses fresh() {
    return new OrphanProcesses(UUID.randomUUID().toString());
  }

  /// Kills them all.
  ///
  /// @return how many there were
  int kill() {
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

  /// Returns the processes that run now. A process that has ended shows no environment, even before
  /// its exit code is read.
  List<ProcessHandle> find() {
    var found = new ArrayList<ProcessHandle>();
    if (!Files.isDirectory(PROCESSES)) return found;
    var looked = (VARIABLE + "=" + mark).getBytes(StandardCharsets.ISO_8859_1);
    try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (var directory : processes) {
        long pid = Long.parseLong(directory.getFileName().toString());
        // First the handle: it knows when its process began, so no later one is taken for it.
        var handle = ProcessHandle.of(pid);
        if (handle.isPresent() && has(directory.resolve("environ"), looked))
          found.add(handle.get());
      }
    } catch (IOException | DirectoryIteratorException | NumberFormatException _) {
      return found; // what could be seen
    }
    return found;
  }

  private static boolean has(Path environment, byte[] looked) {
    // Not by a channel: those do not read for a thread that is interrupted.
    try (var in = new FileInputStream(environment.toFile())) {
      return new String(in.readNBytes(ENVIRONMENT_MAX), StandardCharsets.ISO_8859_1)
          .contains(new String(looked, StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return false; // ended since, or another user's
    }
  }
}
