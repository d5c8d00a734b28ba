package dev.superstep.bench.measure;

import java.time.Duration;
import java.util.List;

/// One case of a workload, such as `memory-1000` of W3. Immutable.
///
/// @param name words and numbers, separated by hyphens
/// @param repetitions how often to measure after the warm-up, where once is not much
/// @param warmUp how long to warm up before, at most, in time on processors
public record Case(String workload, String name, int repetitions, Duration warmUp) {
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

  /// Does something until its figure stands still, or for as long as is allowed, and records the
  /// first round and the warm one beside each other: `first_us` and `warm_us`, with how long it
  /// took (`warm_up_s`) and 1 or 0 for whether the figure stood still (`warm_up_still`).
  ///
  /// @param units how many of what is measured one round does
  public void warmUp(Recorder out, String variant, int units, Span.Body body) throws Exception {
    var result = WarmUp.of(body, warmUp);
    out.add(variant, "first_us", result.firstMicros() / units);
    out.add(variant, "warm_us", result.warmMicros() / units);
    out.add(variant, "warm_up_s", result.seconds());
    out.add(variant, "warm_up_still", result.isStill() ? 1 : 0);
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
