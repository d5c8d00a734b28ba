package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// W2: one node sends many arguments; each task appends to one list, in the order of the sends.
final class FanOutLimit implements Workload {
  private static final int WARM_UP_SENDS = 50_000;
  private static final int WARM_UPS_MAX = 3_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    int warmUps = Math.min(WARM_UPS_MAX, Math.max(1, WARM_UP_SENDS / sends));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : Way.values()) {
        for (int i = -warmUps; i < what.repetitions(); i++) {
          var items = new ArrayList<List<String>>();
          var span = Span.of(() -> way.run(() -> items.add(run(sends, way, threads))));
          out.check(way.variant(), sends, items.getFirst().size());
          out.check(way.variant(), "item-" + (sends - 1), items.getFirst().getLast());
          if (i >= 0) out.add(way.variant(), "send", span, sends);
        }
      }
    }
  }

  private static List<String> run(int sends, Way way, ExecutorService threads) throws Exception {
    IntFunction<String> task = number -> "item-" + number;
    var arguments = new ArrayList<Integer>(sends);
    for (int i = 0; i < sends; i++) arguments.add(i);
    var items = new ArrayList<String>(sends);
    if (way == Way.INLINE) {
      for (int argument : arguments) items.add(task.apply(argument));
      return List.copyOf(items);
    }
    var working = new ArrayList<Future<String>>(sends);
    for (int argument : arguments) working.add(threads.submit(() -> task.apply(argument)));
    for (var done : working) items.add(done.get());
    return List.copyOf(items);
  }
}
