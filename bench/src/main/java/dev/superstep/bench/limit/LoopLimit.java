package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// W1: one node that counts, in a loop.
final class LoopLimit implements Workload {
  private static final int WARM_UPS = 20;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var loop = Steps.loop(steps, Steps::count);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : Way.values()) {
        for (int i = -WARM_UPS; i < what.repetitions(); i++) {
          var last = new Object[1];
          var span = Span.of(() -> way.run(() -> last[0] = run(loop, steps, way, threads)));
          out.check(way.variant(), (long) steps, last[0]);
          if (i >= 0) out.add(way.variant(), "step", span, steps);
        }
      }
    }
  }

  private static Object run(Steps loop, int steps, Way way, ExecutorService threads)
      throws Exception {
    Map<String, Object> input = Map.of("n", 0L);
    return way == Way.INLINE
        ? loop.run(input, steps).get("n")
        : loop.run(input, steps, threads).get("n");
  }
}
