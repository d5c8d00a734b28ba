package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Does something again and again until its figure stands still: until the medians of two windows,
/// one after the other, differ by at most 5 %. Each window lasts as long as half of everything
/// before it, so that together they are more than half of the warm-up. One rule and one upper bound
/// for all systems.
///
/// Time is that on processors, since time on the wall is too short while the machine is busy; or
/// half of the time on the wall, where something mostly waits.
final class WarmUp {
  private static final double STILL = 1.05;
  private static final long WINDOW_MIN_NANOS = 250_000_000;
  private static final long LEAST_NANOS = 1_000_000_000;
  private static final int WALL_FACTOR = 2;

  private final long mostNanos;
  private final long cpuBegin = ProcessClock.nanos();
  private final long wallBegin = System.nanoTime();

  private WarmUp(Duration most) {
    this.mostNanos = most.toNanos();
  }

  /// The course of a warm-up. Immutable.
  ///
  /// @param firstMicros the first round, in a process that had not done it before
  /// @param warmMicros the median of the last window
  /// @param seconds how long it lasted
  /// @param isStill whether the figure stood still, or the upper bound ended it
  record Result(double firstMicros, double warmMicros, double seconds, boolean isStill) {}

  /// Warms up for at most so long.
  static Result of(Span.Body body, Duration most) throws Exception {
    return new WarmUp(most).run(body);
  }

  private Result run(Span.Body body) throws Exception {
    double first = Span.micros(body);
    double median = first;
    boolean isStill = false;
    while (!isStill && elapsed() < mostNanos) {
      double before = median;
      median = window(body);
      boolean isClose = Math.max(median, before) <= STILL * Math.min(median, before);
      isStill = isClose && elapsed() >= LEAST_NANOS;
    }
    return new Result(first, median, elapsed() / 1e9, isStill);
  }

  private double window(Span.Body body) throws Exception {
    long begin = elapsed();
    long end = Math.min(mostNanos, begin + Math.max(WINDOW_MIN_NANOS, begin / 2));
    List<Double> rounds = new ArrayList<>();
    do {
      rounds.add(Span.micros(body));
    } while (elapsed() < end);
    Collections.sort(rounds);
    return rounds.get(rounds.size() / 2);
  }

  private long elapsed() {
    long wall = (System.nanoTime() - wallBegin) / WALL_FACTOR;
    return Math.max(wall, ProcessClock.nanos() - cpuBegin);
  }
}
