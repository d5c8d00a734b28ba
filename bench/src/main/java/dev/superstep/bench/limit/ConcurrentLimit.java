package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Blocked;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// W4: many runs at once, each on a virtual thread and of some steps that wait.
final class ConcurrentLimit implements Workload {
  private static final String VARIANT = "vthread";

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    int steps = what.number(2);
    int millis = what.number(3);
    var loop =
        Steps.loop(
            steps,
            state -> {
              Thread.sleep(millis);
              return Steps.count(state);
            });
    what.warmUp(out, VARIANT, 1, () -> run(loop, runs, steps));
    what.repeat(
        what.repetitions(),
        () -> {
          var sum = new long[1];
          var span = Span.of(() -> sum[0] = run(loop, runs, steps));
          out.check(VARIANT, (long) runs * steps, sum[0]);
          out.add(VARIANT, "run", span, runs);
          out.add(VARIANT, "wall_ms", span.micros() / 1_000);
          out.add(VARIANT, "cpu_ms", span.cpuMicros() / 1_000);
        });
    out.add(VARIANT, "peak_bytes", Heap.peakBytes());
    for (int i = 0; i < what.repetitions(); i++) cancel(runs, out);
  }

  private static void cancel(int tasks, Recorder out) throws Exception {
    var blocked = new Blocked(tasks);
    var threads = new ArrayList<Thread>(tasks);
    for (int i = 0; i < tasks; i++) threads.add(Thread.ofVirtual().start(blocked::blockQuietly));
    blocked.awaitAll();
    var micros =
        Span.micros(() -> {
          for (var thread : threads) thread.interrupt();
          for (var thread : threads) thread.join();
        });
    out.add(VARIANT, "cancel_ms", micros / 1_000);
    out.check(VARIANT, tasks, blocked.interrupted());
  }

  private static long run(Steps loop, int runs, int steps) throws Exception {
    long sum = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var working = new ArrayList<Future<Long>>(runs);
      for (int i = 0; i < runs; i++) {
        working.add(threads.submit(() -> Steps.n(loop.run(Map.of("n", 0L), steps))));
      }
      for (var run : working) sum += run.get();
    }
    return sum;
  }
}
