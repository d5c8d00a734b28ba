package dev.superstep.bench;

import dev.superstep.bench.Plan.Cell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/// A process that does one case and prints lines of JSON. Immutable.
///
/// @param given options for its JVM, if it is one
record ChildProcess(Side.Ready.Command command, List<String> given, Duration most) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int REASON_MAX = 300;

  /// It ended badly, or not at all.
  static final class Failed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    Failed(String reason) {
      super(reason);
      this.reason = reason;
    }

    /// What happened, for tables.
    String reason() {
      return reason;
    }
  }

  List<Sample> run(Cell cell, Plan plan) throws IOException, InterruptedException, Failed {
    var out = Files.createTempFile("superstep-bench-", ".out");
    var err = Files.createTempFile("superstep-bench-", ".err");
    try {
      var process =
          new ProcessBuilder(line(cell, plan))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      try {
        if (!process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new Failed("no end after " + most.toSeconds() + " s");
        }
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
      if (process.exitValue() != 0) throw new Failed(reason(process.exitValue(), err));
      return samples(out);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private List<String> line(Cell cell, Plan plan) {
    var line = new ArrayList<>(command.jvm());
    if (!line.isEmpty()) line.addAll(given);
    line.addAll(command.program());
    line.addAll(List.of(cell.workload(), cell.name()));
    line.addAll(List.of(String.valueOf(plan.repetitions()), plan.warmUp().toString()));
    return line;
  }

  private static List<Sample> samples(Path out) throws IOException, Failed {
    var samples = new ArrayList<Sample>();
    for (var line : Files.readAllLines(out, StandardCharsets.UTF_8)) {
      // Some peers print greetings.
      if (line.startsWith("{\"workload\"")) samples.add(JSON.readValue(line, Sample.class));
    }
    if (samples.isEmpty()) throw new Failed("it printed no results");
    return samples;
  }

  /// The line of the error stream that names the error, as far as one can tell.
  private static String reason(int exit, Path err) throws IOException {
    var lines = Files.readString(err, StandardCharsets.UTF_8).lines().toList();
    var named =
        lines.stream()
            .filter(line -> line.contains("Exception") || line.contains("Error"))
            .findFirst()
            .orElse(lines.isEmpty() ? "" : lines.getLast());
    var reason = "exit code " + exit + ": " + named.strip();
    return reason.substring(0, Math.min(REASON_MAX, reason.length()));
  }
}
