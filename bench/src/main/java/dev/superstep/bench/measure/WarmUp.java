package dev.superstep.bench.measure;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Does something again and again until its figure stands still: until the best median of the last
/// three windows is at most 5 % better than any before, and the JIT compilers were nearly idle
/// meanwhile. A figure that only pauses, since code of a first compiler waits for a second one,
/// does not end it. Each window lasts as long as a fifth of everything before it. One rule, one
/// lower and one upper bound for all systems.
///
/// Time is that on processors without that of the JIT compilers, so that a system with much code
/// runs as often as one with little; or half of the time on the wall, where something mostly waits.
final class WarmUp {
  private static final double STILL = 1.05;
  private static final int LAST = 3;
  private static final double COMPILING_MAX = 0.2;
  private static final long WINDOW_MIN_NANOS = 400_000_000;
  private static final int WINDOW_PART = 5;
  private static final long LEAST_NANOS = 2_000_000_000;
  private static final int WALL_FACTOR = 2;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long mostNanos;
  private final long compiledBegin = compiledNanos();
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

  /// Some rounds, one after the other. Immutable.
  ///
  /// @param compilingNanos the time that JIT compilers worked, added up
  record Window(double median, long compilingNanos, long wallNanos) {}

  /// Warms up for at most so long.
  static Result of(Span.Body body, Duration most) throws Exception {
    return new WarmUp(most).run(body);
  }

  private Result run(Span.Body body) throws Exception {
    double first = Span.micros(body);
    var windows = new ArrayList<Window>();
    boolean isStill = false;
    while (!isStill && elapsed() < mostNanos) {
      windows.add(window(body));
      isStill = elapsed() >= LEAST_NANOS && isStill(windows);
    }
    double warm = windows.isEmpty() ? first : windows.getLast().median();
    return new Result(first, warm, elapsed() / 1e9, isStill);
  }

  private Window window(Span.Body body) throws Exception {
    long compiled = compiledNanos();
    long wall = System.nanoTime();
    long begin = elapsed();
    long end = Math.min(mostNanos, begin + Math.max(WINDOW_MIN_NANOS, begin / WINDOW_PART));
    List<Double> rounds = new ArrayList<>();
    do {
      rounds.add(Span.micros(body));
    } while (elapsed() < end);
    Collections.sort(rounds);
    double median = rounds.get(rounds.size() / 2);
    return new Window(median, compiledNanos() - compiled, System.nanoTime() - wall);
  }

  /// Returns true if a figure does not become better any more.
  static boolean isStill(List<Window> windows) {
    if (windows.size() <= LAST) return false;
    var before = windows.subList(0, windows.size() - LAST);
    var last = windows.subList(windows.size() - LAST, windows.size());
    double compiling = last.stream().mapToLong(Window::compilingNanos).sum();
    long wall = last.stream().mapToLong(Window::wallNanos).sum();
    return best(before) <= STILL * best(last) && compiling <= COMPILING_MAX * wall;
  }

  private static double best(List<Window> windows) {
    return windows.stream().mapToDouble(Window::median).min().orElseThrow();
  }

  private long elapsed() {
    long wall = (System.nanoTime() - wallBegin) / WALL_FACTOR;
    long cpu = ProcessClock.nanos() - cpuBegin;
    return Math.max(wall, cpu - (compiledNanos() - compiledBegin));
  }

  private static long compiledNanos() {
    var compilers = ManagementFactory.getCompilationMXBean();
    return compilers == null ? 0 : compilers.getTotalCompilationTime() * NANOS_PER_MILLI;
  }
}
