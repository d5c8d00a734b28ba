package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.UnknownArrival;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Channels that have a value once enough has come.
@Tag("T76")
class BarrierTest {
  static final Channel<Set<String>, String> VOTES =
      Channel.barrier("votes", Set.of("eve", "bob", "ann"));
  static final Channel<List<Integer>, Integer> PARTS = Channel.gather("parts", Integer.class, 3);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  static final Node COUNT =
      (state, context) ->
          Update.of(LOG, context.node() + " " + state.find(VOTES) + " " + state.find(PARTS));

  static GraphBuilder named(String name) {
    return Graph.named(name).channels(VOTES, PARTS, LOG);
  }

  static Graph row(Node... nodes) {
    var builder = named("row").node("count", COUNT).node("deliver", COUNT);
    for (int i = 0; i < nodes.length; i++) {
      builder.node("n" + i, nodes[i]).edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    return builder.trigger("count", VOTES).trigger("deliver", PARTS).compile();
  }

  static Node vote(String... names) {
    return (state, context) ->
        Update.all(VOTES, List.of(names)).and(LOG, context.node() + " " + state.find(VOTES));
  }

  @Test
  void a_barrier_has_a_value_once_all_names_were_written_and_then_starts_over() throws Exception {
    var graph =
        row(vote("bob"), vote("bob", "bob"), vote("eve", "ann"), vote("bob"), vote("ann", "eve"));
    for (var options : List.of(kept(), kept().concurrency(1))) {
      var state = completed(graph.invoke(Input.none(), options));
      assertThat(state.get(LOG))
          .containsExactly(
              "n0 Optional.empty",
              "n1 Optional.empty",
              "n2 Optional.empty",
              "count Optional[[ann, bob, eve]] Optional.empty",
              "n3 Optional[[ann, bob, eve]]",
              // What is written while the round is taken belongs to the next one.
              "n4 Optional.empty",
              "count Optional[[ann, bob, eve]] Optional.empty");
      assertThat(state.find(VOTES)).isEmpty();
    }
  }

  @Test
  void names_written_to_an_incomplete_barrier_are_saved_but_not_readable() throws Exception {
    var options = kept();
    var error =
        thrown(
            Deadlock.class,
            () -> row(vote("eve")).invoke(Input.of(VOTES, "bob").and(PARTS, 1), options));
    assertThat(error.waiting())
        .containsExactly(
            new Deadlock.Waiting("tokens votes -> count", "count", 1, List.of("votes (ann)")),
            new Deadlock.Waiting(
                "tokens parts -> deliver", "deliver", 1, List.of("parts (2 more)")));
    var state = row(vote("eve")).state(options).orElseThrow().state();
    assertThat(state.find(VOTES)).isEmpty();
    assertThat(state.find(PARTS)).isEmpty();
    assertThat(state.version(VOTES)).isEqualTo(2);
    var input = Input.of(VOTES, "ann").and(PARTS, 2).and(PARTS, 3);
    thrown(Deadlock.class, () -> row(vote("eve")).invoke(input, options));
    assertThat(row(vote("eve")).state(options).orElseThrow().state().get(LOG))
        .contains(
            "count Optional[[ann, bob, eve]] Optional[[1, 2, 3]]",
            "deliver Optional[[ann, bob, eve]] Optional[[1, 2, 3]]");
  }

  @Test
  void a_gathering_barrier_returns_all_values_in_task_order() throws Exception {
    Node two = (_, _) -> Update.all(PARTS, List.of(1, 2));
    Node three = (_, _) -> Update.all(PARTS, List.of(3, 4, 5));
    var graph =
        named("gather")
            .node("two", two)
            .node("three", three)
            .node("more", three)
            .node("deliver", COUNT)
            .edge(START, "two")
            .edge(START, "three")
            .edge("two", "more")
            .edge("more", END)
            .trigger("deliver", PARTS)
            .compile();
    assertThat(completed(graph.invoke(Input.none(), kept())).get(LOG))
        .containsExactly(
            "deliver Optional.empty Optional[[1, 2, 3, 4, 5]]",
            "deliver Optional.empty Optional[[3, 4, 5]]");
  }

  @Test
  void an_unknown_name_fails_its_node_or_the_input() {
    var error = thrown(NodeFailed.class, () -> row(vote("mallory")).invoke(Input.none(), kept()));
    assertThat(error.node()).isEqualTo("n0");
    assertThat(error).hasCauseInstanceOf(UnknownArrival.class);
    var input = thrown(UnknownArrival.class, () -> row().invoke(Input.of(VOTES, "mallory")));
    assertThat(input.channel()).isEqualTo("votes");
    assertThat(input.name()).isEqualTo("mallory");
    assertThat(input).hasMessageContaining("[ann, bob, eve]");
    thrown(
        UnknownArrival.class,
        () -> row((_, _) -> Update.overwrite(VOTES, Set.of("mallory"))).invoke(Input.none()));
  }

  @Test
  void an_overwrite_sets_a_round_or_empties_it() throws Exception {
    var set = row((_, _) -> Update.overwrite(VOTES, Set.of("ann", "bob", "eve")));
    assertThat(completed(set.invoke(Input.of(VOTES, "bob"))).get(LOG)).hasSize(1);
    var emptied = row((_, _) -> Update.overwrite(VOTES, Set.of()));
    assertThat(completed(emptied.invoke(Input.of(VOTES, "bob"), kept())).get(LOG)).isEmpty();
  }

  @Test
  void a_barrier_may_be_one_of_several_that_a_node_waits_for() throws Exception {
    var graph = named("both").node("count", COUNT).trigger("count", VOTES, PARTS).compile();
    var options = kept();
    var votes = Input.all(VOTES, List.of("ann", "bob", "eve"));
    assertThat(thrown(Deadlock.class, () -> graph.invoke(votes, options)).waiting())
        .extracting(Deadlock.Waiting::missing)
        .containsExactly(List.of("parts"));
    var state = completed(graph.invoke(Input.all(PARTS, List.of(1, 2, 3)), options));
    assertThat(state.get(LOG))
        .containsExactly("count Optional[[ann, bob, eve]] Optional[[1, 2, 3]]");
  }

  @Test
  void barriers_that_could_never_fire_are_refused() {
    thrown(IllegalArgumentException.class, () -> Channel.barrier("x", Set.of()));
    thrown(IllegalArgumentException.class, () -> Channel.gather("x", String.class, 0));
  }
}
