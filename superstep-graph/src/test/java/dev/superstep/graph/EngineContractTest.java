package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The terms of the engine's contract that no larger test is about.
class EngineContractTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Question<String, String> WHO =
      Question.of("who", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions kept = RunOptions.thread("t").checkpoints(store);

  private static Node logged(String name) {
    return (_, context) -> Update.of(LOG, name + " " + context.step());
  }

  private static Graph line() {
    return Graph.named("line")
        .channels(LOG)
        .node("a", logged("a"))
        .node("b", logged("b"))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  @Test
  @Tag("G3")
  void a_superstep_runs_all_that_follows_and_the_run_ends_when_only_the_end_is_left()
      throws Exception {
    var graph =
        Graph.named("loop")
            .channels(LOG)
            .node("a", logged("a"))
            .node("b", logged("b"))
            .node("c", logged("c"))
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", "c")
            .edge("b", END)
            .edge("c", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(LOG)).containsExactly("a 1", "b 1", "c 2");
  }

  @Test
  @Tag("G18")
  void a_predicate_over_the_state_chooses_several_nodes_or_none() throws Exception {
    var graph =
        Graph.named("some")
            .channels(LOG)
            .node("a", logged("a"))
            .node("b", logged("b"))
            .node("c", logged("c"))
            .edge(START, "a")
            .routeMany("a", s -> s.get(LOG).size() == 1 ? List.of("c", "b") : List.of(), "b", "c")
            .routeMany("b", s -> List.of(), "a")
            .edge("c", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(LOG)).containsExactly("a 1", "b 2", "c 2");
  }

  @Test
  @Tag("X13")
  void supersteps_are_numbered_from_1_and_the_checkpoint_of_the_input_is_0() throws Exception {
    assertThat(completed(line().invoke(Input.none(), kept)).get(LOG)).containsExactly("a 1", "b 2");
    assertThat(history()).extracting(Checkpoint::step).containsExactly(2, 1, 0);
    assertThat(history())
        .extracting(Checkpoint::source)
        .containsExactly(Checkpoint.Source.LOOP, Checkpoint.Source.LOOP, Checkpoint.Source.INPUT);
  }

  private List<Checkpoint> history() {
    return store.page(Lineage.of("t"), Optional.empty(), 100);
  }

  @Test
  @Tag("T91")
  void a_checkpoint_names_its_run_graph_and_source_and_holds_versions_and_sends() throws Exception {
    var item = Target.of("item", Integer.class);
    var graph =
        Graph.named("sends")
            .channels(LOG)
            .questions(WHO)
            .node("spread", (_, _) -> Command.send(sends(item)).with(Update.of(LOG, "spread")))
            .destinations("spread", "item")
            .node(
                item, (number, _, context) -> Update.of(LOG, context.interrupt(WHO, number + "?")))
            .edge(START, "spread")
            .edge("item", END)
            .compile();
    assertThat(asked(graph.invoke(Input.none(), kept.ids(Runs.countingIds())))).hasSize(2);
    var saved = store.latest(Lineage.of("t")).orElseThrow();
    var checkpoint = saved.checkpoint();
    assertThat(checkpoint.run()).startsWith("id-");
    assertThat(history()).extracting(Checkpoint::run).containsOnly(checkpoint.run());
    assertThat(checkpoint.graph()).isEqualTo("sends");
    assertThat(checkpoint.graphHash()).isEqualTo(graph.topology().hash());
    assertThat(checkpoint.source()).isEqualTo(Checkpoint.Source.LOOP);
    assertThat(checkpoint.progress().next())
        .extracting(PendingNode::node)
        .containsExactly("item", "item");
    assertThat(graph.state(kept).orElseThrow().sent().values())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("0", "1");
    assertThat(saved.channels())
        .filteredOn(channel -> channel.name().equals("log"))
        .extracting(SavedChannel::version)
        .containsExactly(1L);
  }

  private static List<Send<?>> sends(Target<Integer> item) {
    return List.of(Send.to(item, 0), Send.to(item, 1));
  }

  @Test
  @Tag("A2")
  void a_node_returns_an_update_a_command_or_nothing_and_no_other_kinds_can_be_made()
      throws Exception {
    var graph =
        Graph.named("kinds")
            .channels(LOG)
            .node("nothing", (_, _) -> NodeResult.nothing())
            .node("command", (_, _) -> Command.to("update").with(Update.of(LOG, "command")))
            .destinations("command", "update")
            .node("update", (_, _) -> Update.of(LOG, "update"))
            .edge(START, "nothing")
            .edge("nothing", "command")
            .edge("update", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(LOG)).containsExactly("command", "update");
    assertThat(NodeResult.class.isSealed()).isTrue();
  }

  @Test
  @Tag("W58")
  void channels_of_one_type_are_told_apart_by_their_names() throws Exception {
    var first = Channel.latest("first", String.class);
    var second = Channel.latest("second", String.class);
    var graph =
        Graph.named("names")
            .channels(first, second)
            .node("a", (_, _) -> Update.of(first, "one").and(second, "two"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var state = completed(graph.invoke(Input.none()));
    assertThat(state.get(first)).isEqualTo("one");
    assertThat(state.get(second)).isEqualTo("two");
  }
}
