package dev.superstep.shape;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.shape.Rounds.Result;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T105")
class CanonicalTurnTest {
  static final Channel<Long, Long> CALLS = Channel.latest("calls", Long.class);
  static final Channel<Long, Long> CALLED = Channel.sum("called");
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  static Node says(String what) {
    return (_, _) -> Update.of(LOG, what);
  }

  static CanonicalTurn shortest() {
    return CanonicalTurn.named("turn", 3)
        .dispatch(says("dispatch"))
        .stopCheck((state, _) ->
            state.get(CALLED) < state.get(CALLS) ? LoopVerdict.fail() : LoopVerdict.pass())
        .tools((_, _) -> Update.of(LOG, "tools").and(CALLED, 1L));
  }

  static CanonicalTurn whole() {
    return shortest()
        .parse(says("parse"))
        .compact(says("compact"))
        .finish(says("finalize"))
        .then("thank");
  }

  static GraphBuilder around(CanonicalTurn turn) {
    return turn.addTo(Graph.named("desk").channels(CALLS, CALLED, LOG))
        .node("greet", says("greet"))
        .edge(START, "greet")
        .edge("greet", turn.entry());
  }

  static State run(Graph graph, long calls) throws InterruptedException {
    var outcome = graph.invoke(Input.of(CALLS, calls));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  @Test
  void the_model_is_asked_until_it_is_done() throws Exception {
    var graph = around(whole()).node("thank", says("thank")).edge("thank", END).compile();
    assertThat(run(graph, 1).get(LOG))
        .containsExactly(
            "greet",
            "dispatch",
            "parse",
            "tools",
            "compact",
            "dispatch",
            "parse",
            "finalize",
            "thank");
  }

  @Test
  void the_loop_ends_when_the_model_was_asked_as_often_as_it_may_be() throws Exception {
    var turn = whole().then(END);
    var end = run(around(turn).compile(), 99);
    assertThat(end.get(LOG)).endsWith("finalize").filteredOn("dispatch"::equals).hasSize(3);
    assertThat(end.get(CALLED)).isEqualTo(2);
    assertThat(end.get(turn.rounds())).isEqualTo(new Rounds(3, Result.EXHAUSTED));
  }

  @Test
  void an_omitted_part_costs_no_superstep() throws Exception {
    var end = run(around(shortest()).compile(), 1);
    assertThat(end.get(LOG)).containsExactly("greet", "dispatch", "tools", "dispatch");
  }

  @Test
  @Tag("A1")
  void the_topology_of_a_turn() throws Exception {
    var graph = around(whole()).node("thank", says("thank")).edge("thank", END).compile();
    Golden.check("shape-canonical-turn.mmd", graph.topology().mermaid());
    Golden.check("shape-canonical-turn.json", graph.topology().json().text() + "\n");
  }

  @Test
  void a_turn_needs_someone_to_ask_a_check_and_tools() {
    assertThatIllegalStateException()
        .isThrownBy(() -> CanonicalTurn.named("turn", 1).addTo(Graph.named("g")))
        .withMessageContaining("`turn` has no dispatch");
    assertThatIllegalStateException()
        .isThrownBy(() ->
            CanonicalTurn.named("turn", 1)
                .dispatch((_, _) -> NodeResult.nothing())
                .addTo(Graph.named("g")))
        .withMessageContaining("`turn` has no stop_check");
  }
}
