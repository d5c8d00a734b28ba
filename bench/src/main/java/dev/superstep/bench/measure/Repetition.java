package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.concurrent.Callable;

/// Measures the same thing several times, but not for ever: what is slow is done less often.
public record Repetition(Case what, Recorder out) {
  private static final Duration MOST = Duration.ofSeconds(6);

  /// Does something some times after a warm-up and records the time for each of `count` units.
  ///
  /// @param expected what it should return each time
  public void measure(
      String variant, String unit, int count, Object expected, Callable<?> something)
      throws Exception {
    what.warmUp(something::call);
    long latest = System.nanoTime() + MOST.toNanos();
    for (int i = 0; i < what.repetitions(); i++) {
      var found = new Object[1];
      out.add(variant, unit, Span.of(() -> found[0] = something.call()), count);
      out.check(variant, expected, found[0]);
      if (System.nanoTime() > latest) return;
    }
  }
}
