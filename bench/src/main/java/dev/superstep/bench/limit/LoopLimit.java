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
  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var loop = Steps.loop(steps, Steps::count);
    var last = new long[1];
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : ExecutionMode.of(what)) {
        Span.Body run = () -> last[0] = run(loop, steps, way, threads);
        what.warmUp(out, way.variant(), steps, () -> way.run(run));
        for (int i = 0; i < what.repetitions(); i++) {
          out.add(way.variant(), "step", Span.of(() -> way.run(run)), steps);
          out.check(way.variant(), (long) steps, last[0]);
        }
      }
    }
  }

  private static long run(Steps loop, int steps, ExecutionMode way, ExecutorService threads)
      throws Exception {
    Map<String, Object> input = Map.of("n", 0L);
    return way == ExecutionMode.INLINE
        ? Steps.n(loop.run(input, steps))
        : Steps.n(loop.run(input, steps, threads));
  }
}
