package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.Map;

/// A child process: does one case of one workload and prints what it measured.
public final class Child {
  private Child() {}

  /// The whole of a child's `main`.
  ///
  /// @param workloads by workload and kind of case, such as `W1 loop`
  /// @param arguments workload, case, repetitions, and how long to warm up
  public static void run(String system, Map<String, Workload> workloads, String[] arguments)
      throws Exception {
    var what =
        new Case(
            arguments[0],
            arguments[1],
            Integer.parseInt(arguments[2]),
            Duration.parse(arguments[3]));
    var workload = workloads.get(what.workload() + " " + what.kind());
    if (workload == null) {
      throw new IllegalArgumentException(system + " has no " + what.workload() + " " + what.name());
    }
    var out = new Recorder(system, what);
    workload.measure(what, out);
    out.print(System.out);
  }
}
