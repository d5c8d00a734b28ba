package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Update;
import dev.superstep.state.Channel;

/// W1: one node that counts, in a loop.
final class Loop implements Workload {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final int WARM_UPS = 20;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var graph = graph(steps);
    var options = RunOptions.defaults().stepLimit(steps + 1);
    for (int i = -WARM_UPS; i < what.repetitions(); i++) {
      for (var caller : Caller.values()) {
        var last = new long[1];
        var span =
            Span.of(() ->
                caller.run(
                    () -> last[0] = Outcomes.state(graph.invoke(Input.of(N, 0L), options)).get(N)));
        out.check(caller.variant(), (long) steps, last[0]);
        if (i >= 0) out.add(caller.variant(), "step", span, steps);
      }
    }
  }

  static Graph graph(long steps) {
    return Graph.named("loop")
        .channels(N)
        .node("count", (state, _) -> Update.of(N, state.get(N) + 1))
        .edge(START, "count")
        .route("count", state -> state.get(N) < steps ? "count" : END, "count", END)
        .compile();
  }
}
