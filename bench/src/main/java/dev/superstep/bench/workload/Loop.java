package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.bench.measure.Caller;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;

/// W1: one node that counts, in a loop.
final class Loop implements Workload {
  static final Channel<Long, Long> N = Channel.latest("n", Long.class);

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var graph = graph(steps);
    var options = RunOptions.defaults().stepLimit(steps + 1);
    var last = new long[1];
    Span.Body run = () -> last[0] = Outcomes.state(graph.invoke(Input.of(N, 0L), options)).get(N);
    for (var caller : Caller.of(what)) {
      what.warmUp(out, caller.variant(), steps, () -> caller.run(run));
      for (int i = 0; i < what.repetitions(); i++) {
        out.add(caller.variant(), "step", Span.of(() -> caller.run(run)), steps);
        out.check(caller.variant(), (long) steps, last[0]);
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
