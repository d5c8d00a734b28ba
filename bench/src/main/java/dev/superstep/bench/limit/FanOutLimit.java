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
  // Small fan-outs are run several times, since one is too short to be timed.
  private static final int SENDS_MIN = 1_000;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    int runs = Math.max(1, SENDS_MIN / sends);
    var items = new ArrayList<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : ExecutionMode.of(what)) {
        Span.Body run =
            () -> {
              for (int i = 0; i < runs; i++) {
                var found = run(sends, way, threads);
                if (i == 0) items.addAll(found);
              }
            };
        what.warmUp(out, way.variant(), sends * runs, () -> way.run(run));
        for (int i = 0; i < what.repetitions(); i++) {
          items.clear();
          out.add(way.variant(), "send", Span.of(() -> way.run(run)), sends * runs);
          out.check(way.variant(), sends, items.size());
          out.check(way.variant(), "item-" + (sends - 1), items.getLast());
        }
      }
    }
  }

  private static List<String> run(int sends, ExecutionMode way, ExecutorService threads)
      throws Exception {
    IntFunction<String> task = number -> "item-" + number;
    var arguments = new ArrayList<Integer>(sends);
    for (int i = 0; i < sends; i++) arguments.add(i);
    var items = new ArrayList<String>(sends);
    if (way == ExecutionMode.INLINE) {
      for (int argument : arguments) items.add(task.apply(argument));
      return List.copyOf(items);
    }
    var working = new ArrayList<Future<String>>(sends);
    for (int argument : arguments) working.add(threads.submit(() -> task.apply(argument)));
    for (var done : working) items.add(done.get());
    return List.copyOf(items);
  }
}
