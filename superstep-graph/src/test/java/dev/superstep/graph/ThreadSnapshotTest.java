package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T103")
class ThreadSnapshotTest {
  static final Channel<Integer, Integer> ITEM = Channel.latest("item", Integer.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Target<Integer> EACH = Target.of("each", Integer.class);
  static final Question<Integer, Approval> SURE =
      Question.of("sure", Integer.class, Approval.class);

  private static Graph asking() {
    return Graph.named("asking")
        .channels(ITEM, LOG)
        .questions(SURE)
        .node("prepare", (_, _) -> Update.of(LOG, "prepared"))
        .node(
            "ask",
            (state, context) -> {
              int item = state.get(ITEM);
              if (item < 0) throw new IllegalStateException("below zero");
              if (item % 2 == 0) return NodeResult.nothing();
              return Update.of(LOG, "" + context.interrupt(SURE, item).approved());
            })
        .edge(START, "prepare")
        .edge("prepare", "ask")
        .edge("ask", END)
        .compile();
  }

  private static Graph around(Graph graph, UnaryOperator<Subgraph<State>> how) {
    var inside = how.apply(Subgraph.shared(graph));
    return Graph.named("around")
        .channels(ITEM, LOG)
        .node("inside", inside)
        .edge(START, "inside")
        .edge("inside", END)
        .compile();
  }

  private static Graph each(Graph graph) {
    return Graph.named("top")
        .channels(LOG)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(
            EACH,
            Subgraph.of(graph, item -> Input.of(ITEM, item), end -> Update.all(LOG, end.get(LOG))))
        .edge(START, "split")
        .fanOut("split", _ -> sends(), EACH)
        .edge("each", END)
        .compile();
  }

  private static List<Send<?>> sends() {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < 5; i++) sends.add(Send.to(EACH, i));
    return sends;
  }

  @Test
  void waiting_subgraphs_are_shown_nested() throws Exception {
    var graph = each(around(asking(), s -> s));
    var options = kept();
    var questions = asked(graph.invoke(Input.none(), options));
    var state = graph.state(options).orElseThrow();
    assertThat(state.inside()).containsOnlyKeys("each#1", "each#3");
    var third = state.inside().get("each#3");
    assertThat(third.next()).containsExactly("inside");
    assertThat(third.state().get(ITEM)).isEqualTo(3);
    var deepest = third.inside().get("inside");
    assertThat(deepest.next()).containsExactly("ask");
    assertThat(deepest.state().get(LOG)).containsExactly("prepared");
    assertThat(deepest.questions()).extracting(SURE::read).containsExactly(3);
    assertThat(deepest.inside()).isEmpty();

    var one = new Answers(List.of(SURE.answer(questions.getFirst(), Approval.yes())));
    graph.resume(one, options);
    assertThat(graph.state(options).orElseThrow().inside()).containsOnlyKeys("each#3");
    var other = new Answers(List.of(SURE.answer(questions.get(1), Approval.yes())));
    completed(graph.resume(other, options));
    assertThat(graph.state(options).orElseThrow().inside()).isEmpty();
  }

  @Test
  void a_failed_subgraph_is_shown_at_its_checkpoint() {
    var graph = around(asking(), s -> s);
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(ITEM, -1), options));
    var inside = graph.state(options).orElseThrow().inside().get("inside");
    assertThat(inside.next()).containsExactly("ask");
    assertThat(inside.questions()).isEmpty();
  }

  @Test
  void a_subgraph_with_its_own_store_is_read_from_there() throws Exception {
    var own = new InMemoryCheckpointer();
    var options = kept();
    var elsewhere = around(around(asking(), s -> s), s -> s.remembering().checkpointer(own));
    asked(elsewhere.invoke(Input.of(ITEM, 1), options));
    var state = elsewhere.state(options).orElseThrow();
    assertThat(state.inside().get("inside").inside()).containsOnlyKeys("inside");
  }

  @Test
  void unsaved_subgraphs_are_not_shown() {
    var graph = around(asking(), Subgraph::withoutCheckpoints);
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(ITEM, -1), options));
    assertThat(graph.state(options).orElseThrow().inside()).isEmpty();
  }

  @Test
  void the_memory_of_a_subgraph_is_not_shown_as_its_current_run() throws Exception {
    var graph =
        Graph.named("fragile")
            .channels(ITEM, LOG)
            .node(
                "inside",
                Subgraph.of(
                        asking(),
                        (State state) -> {
                          if (state.get(ITEM) > 2) throw new IllegalStateException("too much");
                          return Input.of(ITEM, state.get(ITEM));
                        },
                        _ -> NodeResult.nothing())
                    .remembering())
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    var options = kept();
    completed(graph.invoke(Input.of(ITEM, 2), options));
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(ITEM, 4), options));
    assertThat(graph.state(options).orElseThrow().inside()).isEmpty();
  }
}
