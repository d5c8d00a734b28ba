package dev.superstep.shape;

import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.Node;
import dev.superstep.shape.Rounds.Result;
import dev.superstep.state.Channel;
import java.util.Map;
import java.util.Objects;

/// Counts the rounds of a loop in a channel of its own, so that the count lasts as long as the
/// thread does, and begins anew when the loop has ended and is entered again. Immutable.
///
/// @param rounds the count
/// @param verdict what the check said just now; absent if its policy passed over its failure, so
///   that nothing it said before is taken for it
record Loop(Channel<Rounds, Rounds> rounds, Channel<Result, Result> verdict, int most) {
  Loop {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
  }

  static Loop named(String name, int most) {
    var rounds = Channel.latest(name + "-rounds", Rounds.class);
    return new Loop(rounds, Channel.ephemeral(name + "-verdict", Result.class), most);
  }

  Node node(LoopCheck check) {
    return (state, context) -> {
      int before =
          state.find(rounds).filter(r -> r.result() == Result.AGAIN).map(Rounds::count).orElse(0);
      var said = Objects.requireNonNull(check.check(state, context), "verdict of the check");
      var after = after(before + 1, said.passed());
      return said.update().and(rounds, after).and(verdict, after.result());
    };
  }

  private Rounds after(int count, boolean passed) {
    if (passed) return new Rounds(count, Result.PASSED);
    return new Rounds(count, count < most ? Result.AGAIN : Result.EXHAUSTED);
  }

  void route(GraphBuilder builder, String from, Map<Result, String> targets) {
    builder.channels(rounds, verdict);
    builder.route(
        from, Result.class, state -> state.find(verdict).orElse(Result.EXHAUSTED), targets);
  }
}
