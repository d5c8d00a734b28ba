package dev.superstep.bench.workload;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Starts;
import dev.superstep.bench.measure.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// W6: the `superstep` command from nothing to its first line, as people start it.
///
/// @param arguments of the command, where `HOME` stands for this source tree
/// @param expected how the first line begins
record CliStart(List<String> arguments, String expected) implements Workload {
  private static final String VARIANT = "launcher";

  CliStart {
    arguments = List.copyOf(arguments);
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    var home = Path.of(System.getProperty("superstep.home"));
    // The first start builds what changed.
    start(home, null);
    what.repeat(what.repetitions(), () -> start(home, out));
  }

  private void start(Path home, @Nullable Recorder out) throws Exception {
    try (var folder = Folder.fresh()) {
      var start = Starts.of(folder.path(), launcher(home));
      if (out == null) return;
      var line = start.line();
      out.check(VARIANT, expected, line.substring(0, Math.min(expected.length(), line.length())));
      out.add(VARIANT, "ms", start.millis());
    }
  }

  private List<String> launcher(Path home) {
    var command = new ArrayList<>(List.of(home.resolve("superstep").toString()));
    command.addAll(arguments(home));
    return command;
  }

  private List<String> arguments(Path home) {
    return arguments.stream()
        .map(argument -> argument.replace("HOME", home.toString()))
        .collect(Collectors.toList());
  }
}
