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
  private static final int WARM_UPS = 20;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int nodes = what.number(1);
    int runs = what.number(2);
    var chain = chain(nodes);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var way : Way.values()) {
        for (int i = -WARM_UPS; i < what.repetitions(); i++) {
          var sum = new long[1];
          var span =
              Span.of(() ->
                  way.run(() -> {
                    for (int run = 0; run < runs; run++) {
                      sum[0] += run(chain, nodes, way, threads);
                    }
                  }));
          out.check(way.variant(), (long) nodes * runs, sum[0]);
          if (i >= 0) out.add(way.variant(), "step", span, nodes * runs);
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

  private static long run(Steps chain, int steps, Way way, ExecutorService threads)
      throws Exception {
    Map<String, Object> input = Map.of("n", 0L);
    var last = way == Way.INLINE ? chain.run(input, steps) : chain.run(input, steps, threads);
    return (long) last.get("n");
  }
}
