package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Starts;
import dev.superstep.bench.measure.Workload;
import java.util.List;

/// W6: what is compared with the command line: a JVM that prints a line. Told under the name of how
/// the command line is started.
///
/// @param main the program
/// @param expected its line
record CliStartLimit(Class<?> main, String expected) implements Workload {
  private static final String VARIANT = "launcher";

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    var command =
        List.of(
            Starts.java(),
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    try (var folder = Folder.fresh()) {
      for (int i = -1; i < what.repetitions(); i++) {
        var start = Starts.of(folder.path(), command);
        out.check(VARIANT, expected, start.line());
        if (i >= 0) out.add(VARIANT, "ms", start.millis());
      }
    }
  }
}
