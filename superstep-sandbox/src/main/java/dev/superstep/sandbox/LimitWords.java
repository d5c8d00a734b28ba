package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.process.OrphanProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The words before a command that set its limits: a program that sets them and then becomes the
/// command.
final class LimitWords {
  private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)$");
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
    var words = new ArrayList<>(List.of(program.toString(), "--core=0:0"));
    long cpu = atMost("Max cpu time", limits.cpu().toSeconds());
    words.add("--cpu=%d:%d".formatted(cpu, atMost("Max cpu time", cpu + CPU_GRACE_SECONDS)));
    words.add(both("fsize", atMost("Max file size", limits.fileBytes())));
    if (limits.memoryBytes() > 0) {
      words.add(both("as", atMost("Max address space", limits.memoryBytes())));
    }
    if (!machine.isRoot()) {
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
  private static long threadsOfUser() {
    long count = 0;
    try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      var own = Files.getOwner(Path.of("/proc/self"));
      for (var one : all) count += Files.getOwner(one).equals(own) ? threads(one) : 0;
    } catch (IOException | RuntimeException _) {
      return count; // one ended while it was looked at; the limit is the lower for it
    }
    return count;
  }

  private static long threads(Path process) {
    try {
      var found = THREADS.matcher(Files.readString(process.resolve("status")));
      return found.find() ? Long.parseLong(found.group(1)) : 0;
    } catch (IOException _) {
      return 0; // ended since
    }
  }
}
