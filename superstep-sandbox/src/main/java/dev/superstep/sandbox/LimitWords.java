package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.ProcessList;
import dev.superstep.sandbox.internal.process.OrphanProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/// The words before a command that set its limits: a program that sets them and then becomes the
/// command.
final class LimitWords {
  private static final int BLOCK_BYTES = 512;
  private static final long CPU_GRACE_SECONDS = 2;

  private final Machine machine;

  LimitWords(Machine machine) {
    this.machine = machine;
  }

  /// Returns the words, none where the system has no such program.
  ///
  /// @param isAlone whether it is in a namespace where no other processes of its user are counted
  List<String> of(ProcessLimits limits, OrphanProcesses marks, boolean isAlone) {
    var prlimit = machine.programs().prlimit();
    if (prlimit != null) return prlimit(prlimit, limits, marks, isAlone);
    var shell = machine.programs().shell();
    if (shell == null) return List.of();
    var script =
        "ulimit -c 0; ulimit -t %d; ulimit -f %d; exec \"$@\""
            .formatted(limits.cpu().toSeconds(), Math.max(1, limits.fileBytes() / BLOCK_BYTES));
    return List.of(shell.toString(), "-c", script, "sh");
  }

  private List<String> prlimit(
      Path program, ProcessLimits limits, OrphanProcesses marks, boolean isAlone) {
    var words = new ArrayList<>(List.of(program.toString()));
    // At 0 the kernel writes no file, but still feeds a program that takes cores; at 1 neither.
    words.add(both("core", atMost("Max core file size", 1)));
    long cpu = atMost("Max cpu time", limits.cpu().toSeconds());
    words.add("--cpu=%d:%d".formatted(cpu, atMost("Max cpu time", cpu + CPU_GRACE_SECONDS)));
    words.add(both("fsize", atMost("Max file size", limits.fileBytes())));
    if (limits.memoryBytes() > 0) {
      words.add(both("as", atMost("Max address space", limits.memoryBytes())));
    }
    // A group limits them more exactly.
    if (!machine.isRoot() && machine.group() == null) {
      long others = isAlone ? 0 : threadsOfUser();
      words.add(both("nproc", atMost("Max processes", others + limits.processes())));
    }
    if (atMost("Max realtime timeout", marks.limit()) == marks.limit()) {
      words.add(both("rttime", marks.limit()));
    }
    words.add("--");
    return words;
  }

  private static String both(String name, long value) {
    return "--%s=%d:%d".formatted(name, value, value);
  }

  private long atMost(String name, long wanted) {
    return Math.min(wanted, machine.hardLimits().getOrDefault(name, Long.MAX_VALUE));
  }

  /// The kernel counts threads of a user, whoever started them.
  private long threadsOfUser() {
    if (machine.isNative()) return ProcessList.threadsOfUser(machine.nativeCalls());
    long count = 0;
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      var own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      for (var one : all) count += threads(one, own);
    } catch (IOException | RuntimeException _) {
      return count; // the limit is the lower for it
    }
    return count;
  }

  private static long threads(Path process, Object user) {
    try (var all = Files.newDirectoryStream(process.resolve("task"))) {
      if (!user.equals(Files.getAttribute(process, "unix:uid"))) return 0;
      return StreamSupport.stream(all.spliterator(), false).count();
    } catch (IOException _) {
      return 0; // ended since
    }
  }
}
