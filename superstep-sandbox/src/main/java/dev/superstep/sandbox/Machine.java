package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.LandlockRules;
import dev.superstep.sandbox.internal.linux.Libc;
import dev.superstep.sandbox.internal.linux.NativeProcess;
import dev.superstep.sandbox.internal.linux.PidsHierarchy;
import dev.superstep.sandbox.internal.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Means that this machine has to confine processes. Looked up once; what they hold is a matter of
/// [MachineProbe]. Immutable.
///
/// @param calls the system calls, where native calls are known and allowed
/// @param nativeMissing why native calls cannot be made; empty if they can
/// @param landlock the version of Landlock, 0 for none
/// @param isRoot whether this process is root's
/// @param programs the programs of the system that are used
/// @param group where groups of processes can be made
/// @param hardLimits the limits that this process cannot raise, by their names in `/proc`
record Machine(
    @Nullable SystemCalls calls,
    String nativeMissing,
    int landlock,
    boolean isRoot,
    Programs programs,
    @Nullable PidsHierarchy group,
    Map<String, Long> hardLimits) {
  /// Folders that only the administrator writes. Not the search path, which could name others.
  private static final List<Path> FOLDERS =
      List.of(
          Path.of("/usr/bin"),
          Path.of("/bin"),
          Path.of("/usr/sbin"),
          Path.of("/usr/local/bin"),
          Path.of("/run/current-system/sw/bin"));

  /// Programs of the system, null for those that it does not have.
  record Programs(
      @Nullable Path bubblewrap,
      @Nullable Path prlimit,
      @Nullable Path setsid,
      @Nullable Path shell,
      @Nullable Path perl,
      @Nullable Path python) {}

  private static final class Current {
    static final Machine VALUE = detect();
  }

  /// This one.
  static Machine current() {
    return Current.VALUE;
  }

  private static Machine detect() {
    var programs =
        new Programs(
            find("bwrap"),
            find("prlimit"),
            find("setsid"),
            find("sh"),
            find("perl"),
            find("python3"));
    var known = SystemCalls.ofThisMachine();
    var missing = nativeMissing(known.isPresent());
    var calls = missing.isEmpty() ? known.orElseThrow() : null;
    var group = calls == null ? null : PidsHierarchy.usable(calls).orElse(null);
    int landlock = calls == null ? 0 : LandlockRules.versionOfKernel(calls);
    return new Machine(calls, missing, landlock, isRootNow(), programs, group, limitsNow());
  }

  private static String nativeMissing(boolean isKnown) {
    if (!isKnown) {
      return "the system is %s on %s, not Linux on x86_64 or aarch64"
          .formatted(System.getProperty("os.name"), System.getProperty("os.arch"));
    }
    if (!Libc.isAllowed()) {
      return "native calls are not allowed; start Java with --enable-native-access=ALL-UNNAMED, or"
          + " =dev.superstep.sandbox where that is a module";
    }
    return NativeProcess.missing();
  }

  static @Nullable Path find(String program) {
    for (var folder : FOLDERS) {
      var file = folder.resolve(program);
      if (Files.isExecutable(file)) return file;
    }
    return null;
  }

  private static boolean isRootNow() {
    try {
      for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Uid:")) return line.split("\\s+", -1)[2].equals("0");
      }
    } catch (IOException _) {
      return System.getProperty("user.name").equals("root");
    }
    return false;
  }

  /// Only limits that there are.
  private static Map<String, Long> limitsNow() {
    var all = new TreeMap<String, Long>();
    try {
      for (var line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        var columns = line.split("\\s{2,}", -1);
        if (columns.length >= 3 && columns[2].matches("\\d+")) {
          all.put(columns[0], Long.valueOf(columns[2]));
        }
      }
    } catch (IOException _) {
      return Map.of();
    }
    return Map.copyOf(all);
  }

  boolean isNative() {
    return calls != null;
  }

  SystemCalls nativeCalls() {
    if (calls == null) throw new IllegalStateException("no native calls: " + nativeMissing);
    return calls;
  }
}
