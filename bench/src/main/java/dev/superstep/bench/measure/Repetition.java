package dev.superstep.bench.measure;

import java.util.concurrent.Callable;

/// Measures the same thing several times.
public record Repetition(Case what, Recorder out) {
  /// Does something some times after a warm-up and records the time for each of `count` units.
  ///
  /// @param expected what it should return each time
  public void measure(
      String variant, String unit, int count, Object expected, Callable<?> something)
      throws Exception {
    what.warmUp(out, variant, count, something::call);
    what.repeat(
        what.repetitions(),
        () -> {
          var found = new Object[1];
          out.add(variant, unit, Span.of(() -> found[0] = something.call()), count);
          out.check(variant, expected, found[0]);
        });
  }
}
