package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs that go on task by task.
@Tag("X1")
@Tag("P18")
class TaskLimitTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final Target<Integer> EACH = Target.of("each", Integer.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final List<String> ran = new CopyOnWriteArrayList<>();

  private NodeResult say(State state, NodeContext context) {
    ran.add(context.node());
    return Update.of(SAID, context.node());
  }

  private Graph diamond() {
    return Graph.named("diamond")
        .channels(SAID)
        .node("a", this::say)
        .node("b", this::say)
        .node("c", this::say)
        .node("d", this::say)
        .edge(START, "a")
        .edge("a", "b")
        .edge("a", "c")
        .join(List.of("b", "c"), "d")
        .edge("d", END)
        .compile();
  }

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(store);
  }

  /// What had run after each single task.
  private List<Integer> oneByOne(Graph graph, String thread) throws InterruptedException {
    var steps = new ArrayList<Integer>();
    var outcome = graph.invoke(Input.none(), options(thread).taskLimit(0));
    while (outcome instanceof Outcome.Stopped(var reason, _)) {
      assertThat(reason).isEqualTo(Outcome.Reason.TASK_LIMIT);
      steps.add(ran.size());
      outcome = graph.resume(Answers.none(), options(thread).taskLimit(1));
    }
    steps.add(ran.size());
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return steps;
  }

  @Test
  void a_run_stops_after_each_task_even_in_the_midst_of_a_superstep() throws InterruptedException {
    assertThat(oneByOne(diamond(), "t")).containsExactly(0, 1, 2, 3, 4);
    assertThat(ran).containsExactly("a", "b", "c", "d");
  }

  @Test
  void the_state_is_that_of_a_run_without_a_limit() throws InterruptedException {
    oneByOne(diamond(), "slow");
    diamond().invoke(Input.none(), options("fast"));
    var slow = diamond().state(options("slow")).orElseThrow();
    var fast = diamond().state(options("fast")).orElseThrow();
    assertThat(slow.state().get(SAID)).isEqualTo(fast.state().get(SAID));
    assertThat(slow.step()).isEqualTo(fast.step());
  }

  @Test
  void tasks_of_graphs_inside_are_counted_and_their_nodes_are_not() throws InterruptedException {
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .node("in", Subgraph.shared(diamond()))
            .node("after", this::say)
            .edge(START, "in")
            .edge("in", "after")
            .edge("after", END)
            .compile();
    assertThat(oneByOne(outer, "t")).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(ran).containsExactly("a", "b", "c", "d", "after");
  }

  @Test
  void tasks_that_were_sent_run_one_by_one_in_sending_order() throws InterruptedException {
    Router<List<Send<?>>> sends =
        _ -> IntStream.range(0, 3).<Send<?>>mapToObj(i -> Send.to(EACH, i)).toList();
    var graph =
        Graph.named("sent")
            .channels(SAID)
            .node("split", this::say)
            .node(
                EACH,
                (i, _, _) -> {
                  ran.add("each" + i);
                  return Update.of(SAID, "each" + i);
                })
            .edge(START, "split")
            .fanOut("split", sends, EACH)
            .edge("each", END)
            .compile();
    assertThat(oneByOne(graph, "t")).containsExactly(0, 1, 2, 3, 4);
    assertThat(ran).containsExactly("split", "each0", "each1", "each2");
  }

  @Test
  void a_question_is_published_immediately_and_its_siblings_run_later()
      throws InterruptedException {
    var graph =
        Graph.named("asks")
            .channels(SAID)
            .questions(ASK)
            .node("a", (_, in) -> Update.of(SAID, in.interrupt(ASK, "why?")))
            .node("b", this::say)
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var asked = graph.invoke(Input.none(), options("t").taskLimit(1));
    assertThat(asked).isInstanceOf(Outcome.Interrupted.class);
    assertThat(ran).isEmpty();
    var answered = graph.resume(Answers.to(ASK, "so"), options("t").taskLimit(1));
    assertThat(answered).isInstanceOf(Outcome.Stopped.class);
    var done = graph.resume(Answers.none(), options("t").taskLimit(1));
    assertThat(done).isInstanceOf(Outcome.Completed.class);
    assertThat(((Outcome.Completed) done).state().get(SAID)).containsExactly("so", "b");
  }

  @Test
  void a_task_that_fails_is_the_next_one_again() throws InterruptedException {
    var graph =
        Graph.named("fails")
            .channels(SAID)
            .node(
                "a",
                (_, _) -> {
                  ran.add("a");
                  if (ran.size() == 1) throw new IllegalStateException("broken");
                  return Update.of(SAID, "a");
                })
            .node("b", this::say)
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    assertThatThrownBy(() -> graph.invoke(Input.none(), options("t").taskLimit(1)))
        .isInstanceOf(NodeFailed.class);
    graph.resume(Answers.none(), options("t").taskLimit(1));
    graph.resume(Answers.none(), options("t").taskLimit(1));
    assertThat(ran).containsExactly("a", "a", "b");
  }

  @Test
  void a_task_limit_needs_a_checkpointer() {
    assertThatThrownBy(() -> diamond().invoke(Input.none(), RunOptions.defaults().taskLimit(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("options must name a thread");
    assertThatThrownBy(() -> RunOptions.defaults().taskLimit(-1))
        .hasMessageContaining("taskLimit must not be negative");
  }
}
