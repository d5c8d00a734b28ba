package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.List;

/// One case of a workload, such as `memory-1000` of W3. Immutable.
///
/// @param name words and numbers, separated by hyphens
/// @param repetitions how often to measure after the warm-up, where once is not much
/// @param warmUp how long to warm up before, in time on processors
public record Case(String workload, String name, int repetitions, Duration warmUp) {
  private static final int WALL_MAX = 8;

  /// The first word, which says what kind of case it is.
  public String kind() {
    return parts().getFirst();
  }

  /// A number of the name; the first one after the kind is 1.
  public int number(int place) {
    return Integer.parseInt(parts().get(place));
  }

  /// Does something until it and the compilers have had so much time on processors: time on the
  /// wall would be too short when the machine is busy. At least once.
  public void warmUp(Span.Body body) throws Exception {
    long end = ProcessClock.nanos() + warmUp.toNanos();
    long latest = System.nanoTime() + WALL_MAX * warmUp.toNanos();
    do body.run();
    while (isEarly(end, latest));
  }

  private static boolean isEarly(long end, long latest) {
    return ProcessClock.nanos() < end && System.nanoTime() < latest;
  }

  private List<String> parts() {
    return List.of(name.split("-", -1));
  }
}
