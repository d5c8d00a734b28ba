package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// W1: a chain of nodes that count, run many times.
final class ChainLimit implements Workload {
  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int nodes = what.number(1);
    int runs = what.number(2);
    var chain = chain(nodes);
    var sum = new long[1];
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : ExecutionMode.of(what)) {
        Span.Body run =
            () -> {
              sum[0] = 0;
              for (int i = 0; i < runs; i++) sum[0] += run(chain, nodes, way, threads);
            };
        what.warmUp(out, way.variant(), nodes * runs, () -> way.run(run));
        for (int i = 0; i < what.repetitions(); i++) {
          out.add(way.variant(), "step", Span.of(() -> way.run(run)), nodes * runs);
          out.check(way.variant(), (long) nodes * runs, sum[0]);
        }
      }
    }
  }

  private static Steps chain(int count) {
    var nodes = new HashMap<String, Steps.Node>();
    var edges = new HashMap<String, Steps.Edge>();
    for (int i = 0; i < count; i++) {
      var next = i + 1 < count ? "n" + (i + 1) : null;
      nodes.put("n" + i, Steps::count);
      edges.put("n" + i, _ -> next);
    }
    return new Steps(Map.copyOf(nodes), Map.copyOf(edges), "n0");
  }

  private static long run(Steps chain, int steps, ExecutionMode way, ExecutorService threads)
      throws Exception {
    Map<String, Object> input = Map.of("n", 0L);
    var last =
        way == ExecutionMode.INLINE ? chain.run(input, steps) : chain.run(input, steps, threads);
    return Steps.n(last);
  }
}
