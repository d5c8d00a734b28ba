package dev.superstep.eval;

import dev.superstep.budget.Spend;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.CheckResult;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Case;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Optional;

/// The graph of a trial: the subject runs, then the checks. What either has made is saved.
final class TrialGraph {
  static final Channel<Case, Case> CASE = Channel.latest("case", Case.class);
  static final Channel<Integer, Integer> REPEAT = Channel.latest("repeat", Integer.class);
  static final Channel<Observation, Observation> OBSERVATION =
      Channel.latest("observation", Observation.class);
  static final Channel<List<CheckResult>, List<CheckResult>> RESULTS =
      Channel.latest("results", Codec.listOf(CheckResult.class));
  static final Channel<Spend, Spend> JUDGING = Channel.latest("judging", Spend.class);

  private static final Graph READING = graph((_, _) -> unread(), (_, _) -> unread());

  private TrialGraph() {}

  static Graph graph(Node subject, Node checks) {
    return Graph.named("trial")
        .channels(CASE, REPEAT, OBSERVATION, RESULTS, JUDGING)
        .node("subject", subject)
        .node("checks", checks)
        .edge(Graph.START, "subject")
        .edge("subject", "checks")
        .edge("checks", Graph.END)
        .compile();
  }

  private static NodeResult unread() {
    throw new IllegalStateException("this graph only reads");
  }

  /// The trial of a thread, or empty if it has no result yet.
  static Optional<Trial> find(String thread, Checkpointer store) {
    return READING
        .state(RunOptions.defaults().on(thread, store))
        .filter(state -> state.next().isEmpty())
        .map(state -> read(state.state()));
  }

  static Trial read(State state) {
    return new Trial(
        state.get(CASE),
        state.get(REPEAT),
        state.get(OBSERVATION),
        state.get(RESULTS),
        state.get(JUDGING));
  }
}
