package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ReducerFailed;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.UndeclaredChannel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What writes make of the state, and which of them cannot stand together.
class ConflictTest {
  static final Channel<String, String> ONE = Channel.latest("one", String.class);
  static final Channel<List<String>, String> LIST = Channel.append("list", String.class);
  static final Channel<Map<String, Integer>, Map<String, Integer>> MAP =
      Channel.merge("map", Integer.class);
  static final Channel<Long, Long> SUM = Channel.sum("sum");
  static final Channel<String, String> STRANGER = Channel.latest("stranger", String.class);

  /// Three nodes in one superstep, then one that reads.
  static Graph graph(Node a, Node b, Node c) {
    return Graph.named("writes")
        .channels(ONE, LIST, MAP, SUM)
        .node("a", a)
        .node("b", b)
        .node("c", c)
        .edge(START, "a")
        .edge(START, "b")
        .edge(START, "c")
        .edge("a", END)
        .edge("b", END)
        .edge("c", END)
        .compile();
  }

  static Graph graph(Update a, Update b, Update c) {
    return graph((_, _) -> a, (_, _) -> b, (_, _) -> c);
  }

  static final Update NONE = new Update(List.of());

  static State run(Update a, Update b, Update c) throws InterruptedException {
    return completed(graph(a, b, c).invoke(Input.all(LIST, List.of("0")), kept()));
  }

  @Test
  @Tag("T77")
  @Tag("X9")
  void two_tasks_that_write_a_single_value_are_both_named() {
    var error =
        thrown(ConcurrentWrites.class, () -> run(Update.of(ONE, "x"), NONE, Update.of(ONE, "x")));
    assertThat(error.channel()).isEqualTo("one");
    assertThat(error.first().task()).endsWith("/a");
    assertThat(error.second().task()).endsWith("/c");
    assertThat(error)
        .hasMessageContaining(error.first().task())
        .hasMessageContaining(error.second().task());
  }

  @Test
  @Tag("T77")
  void one_task_that_writes_a_single_value_twice_is_refused() {
    thrown(ConcurrentWrites.class, () -> run(Update.of(ONE, "x").and(ONE, "y"), NONE, NONE));
    thrown(ConcurrentWrites.class, () -> run(Update.all(ONE, List.of("x", "y")), NONE, NONE));
  }

  @Test
  @Tag("T77")
  void different_supersteps_may_write_the_same_single_value() throws Exception {
    var graph =
        Graph.named("chain")
            .channels(ONE)
            .node("a", (_, _) -> Update.of(ONE, "x"))
            .node("b", (_, _) -> Update.of(ONE, "y"))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    var state = completed(graph.invoke(Input.of(ONE, "in")));
    assertThat(state.get(ONE)).isEqualTo("y");
    assertThat(state.version(ONE)).isEqualTo(3);
  }

  @Test
  @Tag("X10")
  @Tag("G4")
  void a_version_counts_changes_and_not_writes() throws Exception {
    var state = run(Update.of(SUM, 0L), Update.of(MAP, Map.of()), Update.all(LIST, List.of()));
    assertThat(state.version(SUM)).isZero();
    assertThat(state.version(MAP)).isZero();
    assertThat(state.version(LIST)).isEqualTo(1);
    assertThat(state.version(ONE)).isZero();
    assertThat(state.find(ONE)).isEmpty();
  }

  @Test
  void an_overwrite_sets_aside_all_other_writes_of_the_superstep() throws Exception {
    var state =
        run(
            Update.of(LIST, "a"),
            Update.overwrite(LIST, List.of("x", "y")),
            Update.of(LIST, "c").and(Update.remove(MAP, "nobody")));
    assertThat(state.get(LIST)).containsExactly("x", "y");
    assertThat(run(Update.overwrite(MAP, Map.of("a", 1)), NONE, NONE).get(MAP))
        .isEqualTo(Map.of("a", 1));
  }

  @Test
  void two_overwrites_in_a_superstep_name_both_tasks() {
    var error =
        thrown(
            ConcurrentWrites.class,
            () ->
                run(
                    Update.overwrite(LIST, List.of()),
                    Update.of(LIST, "b"),
                    Update.overwrite(LIST, List.of())));
    assertThat(error.first().task()).endsWith("/a");
    assertThat(error.second().task()).endsWith("/c");
  }

  @Test
  void removals_take_effect_in_task_order() throws Exception {
    var state =
        run(
            Update.of(MAP, Map.of("x", 1)),
            Update.remove(MAP, "x"),
            Update.of(MAP, Map.of("y", 2)));
    assertThat(state.get(MAP)).isEqualTo(Map.of("y", 2));
    var again = run(Update.remove(MAP, "x"), Update.of(MAP, Map.of("x", 1)), NONE);
    assertThat(again.get(MAP)).isEqualTo(Map.of("x", 1));
  }

  @Test
  void a_removal_from_a_channel_without_keys_fails_the_node() {
    var graph = graph((_, _) -> Update.remove(LIST, "x"), (_, _) -> NONE, (_, _) -> NONE);
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(error.node()).isEqualTo("a");
    assertThat(error).hasMessageContaining("`list`").hasMessageContaining("no keys");
  }

  @Test
  void a_write_to_an_undeclared_channel_fails_its_node_and_can_be_corrected() throws Exception {
    var fixed = new java.util.concurrent.atomic.AtomicBoolean();
    var graph =
        graph(
            (_, _) -> fixed.get() ? NONE : Update.of(STRANGER, "x"),
            (_, _) -> Update.of(LIST, "b"),
            (_, _) -> NONE);
    var options = kept();
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(error.node()).isEqualTo("a");
    assertThat(error).hasCauseInstanceOf(UndeclaredChannel.class);
    fixed.set(true);
    assertThat(completed(graph.resume(Answers.none(), options)).get(LIST)).containsExactly("b");
  }

  @Test
  void a_command_to_an_unknown_node_fails_its_node_and_can_be_corrected() throws Exception {
    var to = new java.util.concurrent.atomic.AtomicReference<>("ned");
    var graph =
        Graph.named("mend")
            .node("a", (_, _) -> Command.to(to.get()))
            .node("b", (_, _) -> NodeResult.nothing())
            .node("end", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge(START, "b")
            .destinations("a", "end")
            .edge("b", END)
            .edge("end", END)
            .compile();
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    to.set("end");
    completed(graph.resume(Answers.none(), options));
  }

  @Test
  void a_null_write_fails_its_node() {
    var graph = graph((_, _) -> Update.of(ONE, null), (_, _) -> NONE, (_, _) -> NONE);
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept()));
    assertThat(error.node()).isEqualTo("a");
    assertThat(error).hasMessageContaining("`one`");
  }

  @Test
  void a_reducer_that_throws_is_an_error_that_names_the_channel() {
    var graph =
        graph(
            (_, _) -> Update.of(SUM, Long.MAX_VALUE), (_, _) -> Update.of(SUM, 1L), (_, _) -> NONE);
    var error = thrown(ReducerFailed.class, () -> graph.invoke(Input.none()));
    assertThat(error.channel()).isEqualTo("sum");
    assertThat(error).hasMessageContaining("`sum`").hasCauseInstanceOf(ArithmeticException.class);
    assertThat(error.code()).isEqualTo("graph.reducer-failed");
  }

  @Test
  @Tag("T80")
  @Tag("T79")
  void siblings_see_the_state_as_it_was_when_their_superstep_began() throws Exception {
    var both = new java.util.concurrent.CyclicBarrier(3);
    Node node =
        (state, context) -> {
          int before = state.get(LIST).size();
          both.await();
          return Update.of(LIST, context.node() + before + state.get(LIST).size());
        };
    assertThat(completed(graph(node, node, node).invoke(Input.of(LIST, "in"))).get(LIST))
        .containsExactly("in", "a11", "b11", "c11");
  }

  @Test
  @Tag("E1")
  void a_node_cannot_change_the_state_in_place() {
    Node meddler =
        (state, _) -> {
          state.get(LIST).add("x");
          return NONE;
        };
    var error =
        thrown(
            NodeFailed.class,
            () -> graph(meddler, (_, _) -> NONE, (_, _) -> NONE).invoke(Input.none()));
    assertThat(error).hasCauseInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @Tag("X10")
  void an_entry_that_is_added_and_removed_again_is_no_change() throws Exception {
    var state =
        run(Update.of(MAP, Map.of("x", 1)), Update.remove(MAP, "x"), Update.remove(MAP, "y"));
    assertThat(state.get(MAP)).isEmpty();
    assertThat(state.version(MAP)).isZero();
    var changed = run(Update.of(MAP, Map.of("x", 1)), Update.remove(MAP, "y"), NONE);
    assertThat(changed.version(MAP)).isEqualTo(1);
  }
}
