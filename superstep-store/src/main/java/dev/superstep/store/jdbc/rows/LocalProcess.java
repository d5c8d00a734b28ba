package dev.superstep.store.jdbc.rows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Names processes so that others on the machine can check whether one is still there: by the space
/// in which its number counts, its number, and its start, because numbers are used again.
/// Immutable.
///
/// Known on Linux only, from `/proc`. Elsewhere, and of processes on other machines or in other
/// containers, nothing is known, and their leases last until their time is over.
public record LocalProcess(String space, long pid, String start) {
  private static final Path PROC = Path.of("/proc");
  private static final Optional<LocalProcess> OWN = own(ProcessHandle.current().pid());
  private static final int PARTS = 3;
  // In what follows the name of the program, which is in parentheses and may hold anything.
  private static final int STATE = 0;
  private static final int START = 19;
  // It has ended, and nobody has asked how.
  private static final List<String> ENDED = List.of("Z", "X");

  /// This process, as the holder of a lease is stored; empty where it cannot be named.
  public static Optional<String> own() {
    return OWN.map(LocalProcess::text);
  }

  /// Returns true if a process is known to have ended.
  ///
  /// @param text as [#own] gave it there
  public static boolean isGone(String text) {
    var parts = text.split(" ", -1);
    if (parts.length != PARTS || OWN.isEmpty() || !OWN.get().space().equals(parts[0])) return false;
    try {
      return isGone(Long.parseLong(parts[1]), parts[2]);
    } catch (NumberFormatException | IOException _) {
      return false;
    }
  }

  private static boolean isGone(long pid, String start) throws IOException {
    try {
      var stat = stat(pid);
      return ENDED.contains(stat.get(STATE)) || !stat.get(START).equals(start);
    } catch (NoSuchFileException _) {
      // Where the system hides the processes of others, it hides the first one, too.
      return Files.exists(PROC.resolve("1"));
    }
  }

  private static Optional<LocalProcess> own(long pid) {
    try {
      var boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
      var numbers = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
      return Optional.of(new LocalProcess(boot + "/" + numbers, pid, stat(pid).get(START)));
    } catch (IOException | UnsupportedOperationException | SecurityException _) {
      return Optional.empty();
    }
  }

  private static List<String> stat(long pid) throws IOException {
    var text = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
    var fields = List.of(text.substring(text.lastIndexOf(')') + 1).strip().split(" "));
    if (fields.size() <= START) throw new IOException("/proc/" + pid + "/stat: " + text);
    return fields;
  }

  private String text() {
    return space + " " + pid + " " + start;
  }
}
