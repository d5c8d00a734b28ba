package dev.superstep.bench.measure;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/// Collects what a child measures and whether its results were right. One thread at a time.
public final class Recorder {
  private final String system;
  private final Case what;
  private final Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();
  private final Map<String, String> wrong = new LinkedHashMap<>();

  /// Creates a recorder for a system and a case.
  public Recorder(String system, Case what) {
    this.system = system;
    this.what = what;
  }

  /// One more value of a metric. The unit is the end of its name: `us_per_step`, `disk_bytes`.
  public void add(String variant, String metric, double value) {
    values
        .computeIfAbsent(variant, _ -> new LinkedHashMap<>())
        .computeIfAbsent(metric, _ -> new ArrayList<>())
        .add(value);
  }

  /// The same for whole numbers.
  public void add(String variant, String metric, long value) {
    add(variant, metric, (double) value);
  }

  /// The wall time, the time on processors and the allocation of all threads, for each of `count`
  /// things.
  public void add(String variant, String unit, Span span, int count) {
    add(variant, "us_per_" + unit, span.micros() / count);
    add(variant, "cpu_us_per_" + unit, span.cpuMicros() / count);
    add(variant, "alloc_bytes_per_" + unit, (double) span.allocatedBytes() / count);
  }

  /// Says what a variant should have come to, and what it came to.
  public void check(String variant, Object expected, Object found) {
    if (expected.equals(found)) return;
    wrong.putIfAbsent(variant, "expected " + expected + ", found " + Objects.toString(found));
  }

  /// The least value of a metric.
  ///
  /// @throws NoSuchElementException if it was not recorded
  public double least(String variant, String metric) {
    return values.getOrDefault(variant, Map.of()).getOrDefault(metric, List.of()).stream()
        .mapToDouble(value -> value)
        .min()
        .orElseThrow();
  }

  /// The wrong results, by variant.
  public Map<String, String> wrong() {
    return Collections.unmodifiableMap(wrong);
  }

  void print(PrintStream to) {
    values.forEach((variant, metrics) ->
        metrics.forEach((metric, found) -> to.println(line(variant, metric, found))));
    to.flush();
  }

  private String line(String variant, String metric, List<Double> found) {
    var line = new StringBuilder("{");
    text(line, "workload", what.workload());
    text(line, "case", what.name());
    text(line, "system", system);
    text(line, "variant", variant);
    text(line, "metric", metric);
    text(line, "wrong", wrong.getOrDefault(variant, ""));
    return line.append("\"values\":").append(found).append('}').toString();
  }

  private static void text(StringBuilder line, String name, String value) {
    line.append('"').append(name).append("\":\"");
    value.chars().forEach(c -> line.append(c < ' ' || c == '"' || c == '\\' ? ' ' : (char) c));
    line.append("\",");
  }
}
