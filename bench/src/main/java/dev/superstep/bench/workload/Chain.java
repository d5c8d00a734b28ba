package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;

/// W1: a chain of nodes that count, run many times.
final class Chain implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int nodes = what.number(1);
    int runs = what.number(2);
    var graph = graph(nodes);
    var sum = new long[1];
    Span.Body run =
        () -> {
          sum[0] = 0;
          for (int i = 0; i < runs; i++) {
            sum[0] += Outcomes.state(graph.invoke(Input.of(N, 0L))).get(N);
          }
        };
    for (var caller : Caller.of(what)) {
      what.warmUp(out, caller.variant(), nodes * runs, () -> caller.run(run));
      for (int i = 0; i < what.repetitions(); i++) {
        out.add(caller.variant(), "step", Span.of(() -> caller.run(run)), nodes * runs);
        out.check(caller.variant(), (long) nodes * runs, sum[0]);
      }
    }
  }

  private static Graph graph(int nodes) {
    var builder = Graph.named("chain").channels(N).edge(START, "n0");
    for (int i = 0; i < nodes; i++) {
      builder
          .node("n" + i, (state, _) -> Update.of(N, state.get(N) + 1))
          .edge("n" + i, i + 1 < nodes ? "n" + (i + 1) : END);
    }
    return builder.compile();
  }
}
