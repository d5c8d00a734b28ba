package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Blocked;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// W4: many runs at once, each of some steps that wait as if for a model.
final class Concurrent implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Target<Integer> BLOCK = Target.of("block", Integer.class);
  private static final String VARIANT = "vthread";

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    int steps = what.number(2);
    var graph = graph(steps, what.number(3));
    what.warmUp(out, VARIANT, 1, () -> run(graph, runs));
    for (int i = 0; i < what.repetitions(); i++) {
      var sum = new long[1];
      var span = Span.of(() -> sum[0] = run(graph, runs));
      out.check(VARIANT, (long) runs * steps, sum[0]);
      out.add(VARIANT, "run", span, runs);
      out.add(VARIANT, "wall_ms", span.micros() / 1_000);
      out.add(VARIANT, "cpu_ms", span.cpuMicros() / 1_000);
    }
    out.add(VARIANT, "peak_bytes", Heap.peakBytes());
    for (int i = 0; i < what.repetitions(); i++) cancel(runs, out);
  }

  /// How long it takes until the last of many blocked tasks of one run has ended.
  private static void cancel(int tasks, Recorder out) throws Exception {
    var blocked = new Blocked(tasks);
    var graph =
        Graph.named("blocked")
            .node(
                BLOCK,
                (_, _, _) -> {
                  blocked.block();
                  return NodeResult.nothing();
                })
            .fanOut(START, _ -> Collections.<Send<?>>nCopies(tasks, Send.to(BLOCK, 0)), BLOCK)
            .edge("block", END)
            .compile();
    try (var run = graph.stream(Input.none(), RunOptions.defaults().concurrency(tasks))) {
      blocked.awaitAll();
      out.add(
          VARIANT,
          "cancel_ms",
          Span.micros(() -> {
            run.cancel();
            run.outcome();
          })
              / 1_000);
    }
    out.check(VARIANT, tasks, blocked.interrupted());
  }

  private static long run(Graph graph, int runs) throws Exception {
    long sum = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var working = new ArrayList<Future<Long>>(runs);
      for (int i = 0; i < runs; i++) {
        working.add(threads.submit(() -> Outcomes.state(graph.invoke(Input.of(N, 0L))).get(N)));
      }
      for (var run : working) sum += run.get();
    }
    return sum;
  }

  private static Graph graph(long steps, int millis) {
    return Graph.named("concurrent")
        .channels(N)
        .node(
            "call",
            (state, _) -> {
              Thread.sleep(millis);
              return Update.of(N, state.get(N) + 1);
            })
        .edge(START, "call")
        .route("call", state -> state.get(N) < steps ? "call" : END, "call", END)
        .compile();
  }
}
