package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.List;

/// One case of a workload, such as `memory-1000` of W3. Immutable.
///
/// @param name words and numbers, separated by hyphens
/// @param repetitions how often to measure after the warm-up, where once is not much
/// @param warmUp how long to warm up before, at most, in time on processors
public record Case(String workload, String name, int repetitions, Duration warmUp) {
  private static final int WALL_MAX = 2;
  // A way that is not this much faster than before is as fast as it gets.
  private static final double FASTER = 0.95;
  private static final long STEADY_MIN_NANOS = 700_000_000;
  private static final int BRIEF = 5;
  private static final Duration MEASURED_MAX = Duration.ofSeconds(6);
  private static final Duration BRIEFLY_MEASURED_MAX = Duration.ofMillis(1_200);

  /// The first word, which says what kind of case it is.
  public String kind() {
    return parts().getFirst();
  }

  /// A number of the name; the first one after the kind is 1.
  public int number(int place) {
    return Integer.parseInt(parts().get(place));
  }

  /// Whether a look at the fastest way to do it is enough.
  public boolean isBrief() {
    return repetitions <= BRIEF;
  }

  /// Does something until it gets no faster, or until it and the compilers have had so much time on
  /// processors: time on the wall would be too short when the machine is busy. At least once.
  ///
  /// It gets no faster when half of the time so far has brought less than 5 %. A large engine is
  /// compiled for much longer than a small loop, and neither is to wait for the other.
  public void warmUp(Span.Body body) throws Exception {
    long begin = ProcessClock.nanos();
    long latest = System.nanoTime() + WALL_MAX * warmUp.toNanos();
    double best = Double.MAX_VALUE;
    long bestAt = begin;
    while (true) {
      double micros = Span.micros(body);
      long now = ProcessClock.nanos();
      if (micros < best * FASTER) {
        best = micros;
        bestAt = now;
      }
      long needed = Math.max(STEADY_MIN_NANOS, (now - begin) / 2);
      boolean isSteady = now - bestAt > needed;
      if (isSteady || now - begin > warmUp.toNanos() || System.nanoTime() > latest) return;
    }
  }

  /// Measures something as often as it is to be, but not for ever: what is slow is done less often.
  ///
  /// @param times how often it would be done if it were quick
  public void repeat(int times, Span.Body body) throws Exception {
    var most = isBrief() ? BRIEFLY_MEASURED_MAX : MEASURED_MAX;
    long latest = System.nanoTime() + most.toNanos();
    for (int i = 0; i < times; i++) {
      body.run();
      if (System.nanoTime() > latest) return;
    }
  }

  private List<String> parts() {
    return List.of(name.split("-", -1));
  }
}
