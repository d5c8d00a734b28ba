package dev.superstep.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// W15: the first run in a new process of a small program, from nothing to its line (`ms`) and
/// within its `main` alone (`run_ms`).
///
/// @param main the program's class; its argument is the name of the case
/// @param options of its JVM
public record ColdStart(String main, List<String> options) implements Workload {
  private static final Map<String, String> RESULTS =
      Map.of(
          "one",
          "1",
          "chain",
          "10",
          "fanout",
          "100",
          "agent",
          "The last was 1.",
          "flow",
          "3",
          "memory",
          "2",
          "sqlite",
          "2");
  private static final String VARIANT = "plain";
  private static final int TIMES = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  public ColdStart {
    options = List.copyOf(options);
  }

  /// Creates a start without options.
  public ColdStart(String main) {
    this(main, List.of());
  }

  /// The body of a program.
  @FunctionalInterface
  public interface Program {
    /// Runs and tells what came out.
    Object run() throws Exception;
  }

  /// The whole of such a program's `main`: runs, and prints the line.
  public static void print(Program program) throws Exception {
    long begin = System.nanoTime();
    var result = program.run();
    double millis = (System.nanoTime() - begin) / NANOS_PER_MILLI;
    long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    System.out.println("result " + result + " in " + millis + " with " + classes);
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    var expected =
        "result " + Objects.requireNonNull(RESULTS.get(what.kind()), what.kind()) + " in ";
    for (int i = -1; i < TIMES; i++) {
      try (var folder = Folder.fresh()) {
        var start = Starts.of(folder.path(), command(what.kind()));
        boolean isRight = start.line().startsWith(expected);
        out.check(VARIANT, expected, isRight ? expected : start.line());
        if (i < 0) continue;
        out.add(VARIANT, "ms", start.millis());
        if (!isRight) continue;
        var figures = start.line().substring(expected.length()).split(" with ", -1);
        out.add(VARIANT, "run_ms", Double.parseDouble(figures[0]));
        out.add(VARIANT, "classes", Long.parseLong(figures[1]));
      }
    }
  }

  private List<String> command(String program) {
    var command = new ArrayList<>(List.of(Starts.java(), "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main, program));
    return command;
  }
}
