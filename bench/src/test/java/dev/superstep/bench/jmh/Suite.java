package dev.superstep.bench.jmh;

import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Runs the suite with the collector's profile and prints, beside JMH's own table, the time and the
/// allocation of each operation.
public final class Suite {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private Suite() {}

  /// @param arguments a pattern for the names of benchmarks, or nothing; then a file for the
  ///   results as JSON
  public static void main(String[] arguments) throws RunnerException {
    var options =
        new OptionsBuilder()
            .include("dev.superstep.bench.jmh.*" + arguments[0])
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("--enable-native-access=ALL-UNNAMED")
            .shouldFailOnError(true)
            .resultFormat(ResultFormatType.JSON)
            .result(arguments[1])
            .build();
    Map<String, RunResult> sorted = new TreeMap<>();
    for (var result : new Runner(options).run()) {
      sorted.put(result.getParams().getBenchmark().replaceAll(".*\\.jmh\\.", ""), result);
    }
    System.out.println("\n| benchmark | time | allocated |\n|---|---|---|");
    sorted.forEach(Suite::print);
  }

  private static void print(String name, RunResult result) {
    var time = result.getPrimaryResult();
    var allocated =
        result.getSecondaryResults().entrySet().stream()
            .filter(entry -> entry.getKey().endsWith(ALLOCATED))
            .map(entry -> entry.getValue().getScore())
            .findFirst()
            .orElse(Double.NaN);
    System.out.printf(
        "| %s | %.0f ± %.0f %s | %.0f B |%n",
        name, time.getScore(), time.getScoreError(), time.getScoreUnit(), allocated);
  }
}
