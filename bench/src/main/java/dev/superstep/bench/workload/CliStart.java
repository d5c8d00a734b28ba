package dev.superstep.bench.workload;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Folder;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Starts;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// W6: the `superstep` command from nothing to its first line: by its launcher, as people start it,
/// and by the JVM that the launcher starts.
///
/// @param arguments of the command, where `HOME` stands for this source tree
/// @param expected how the first line begins
record CliStart(List<String> arguments, String expected) implements Workload {
  private static final String BUILT = "superstep-cli/target/dev";

  CliStart {
    arguments = List.copyOf(arguments);
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    var home = Path.of(System.getProperty("superstep.home"));
    for (int i = -1; i < what.repetitions(); i++) {
      // The first start builds what changed.
      start("launcher", launcher(home), i < 0 ? null : out);
      start("java", java(home), i < 0 ? null : out);
    }
  }

  private void start(String variant, List<String> program, @Nullable Recorder out)
      throws Exception {
    try (var folder = Folder.fresh()) {
      var start = Starts.of(folder.path(), program);
      if (out == null) return;
      out.check(
          variant,
          expected,
          start.line().substring(0, Math.min(expected.length(), start.line().length())));
      out.add(variant, "ms", start.millis());
    }
  }

  private List<String> launcher(Path home) {
    var command = new ArrayList<>(List.of(home.resolve("superstep").toString()));
    command.addAll(arguments(home));
    return command;
  }

  /// What the launcher comes to in the end.
  private List<String> java(Path home) throws IOException {
    var built = home.resolve(BUILT);
    var classes = new ArrayList<String>();
    classes.addAll(jars(built));
    classes.addAll(jars(built.resolve("lib")));
    var examples = home.resolve("examples/triage/target/dev/classes");
    var command =
        new ArrayList<>(
            List.of(
                Starts.java(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xlog:disable",
                "-Xlog:all=warning,aot*=off,cds*=off:stderr",
                "-XX:AOTCache=" + built.resolve("superstep.aot"),
                "-Dsuperstep.home=" + home,
                "-Dsuperstep.command=superstep",
                "-Dsuperstep.examples=" + examples,
                "-cp",
                String.join(":", classes),
                "dev.superstep.cli.Main"));
    command.addAll(arguments(home));
    return command;
  }

  private List<String> arguments(Path home) {
    return arguments.stream()
        .map(argument -> argument.replace("HOME", home.toString()))
        .collect(Collectors.toList());
  }

  /// In the order of the launcher, without which the cache is not taken.
  private static List<String> jars(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(Path::toString).filter(file -> file.endsWith(".jar")).sorted().toList();
    }
  }
}
