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
import dev.superstep.error.ThreadError;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What may be done with a thread, and what with none.
class ThreadTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Channel<Long, Long> TURNS = Channel.sum("turns");
  static final Channel<Map<String, Integer>, Map<String, Integer>> MARKS =
      Channel.merge("marks", Integer.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  static GraphBuilder builder(String name, Node node) {
    return Graph.named(name)
        .channels(SAID, TURNS, MARKS)
        .questions(ASK)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END);
  }

  static Graph graph(Node node) {
    return builder("chat", node).compile();
  }

  static final Node ECHO =
      (state, _) -> Update.of(SAID, "echo " + state.get(SAID).getLast()).and(TURNS, 1L);

  @Test
  @Tag("F4")
  void new_input_on_a_finished_thread_is_folded_into_what_it_left() throws Exception {
    var graph = graph(ECHO);
    var options = kept();
    completed(graph.invoke(Input.of(SAID, "hi"), options));
    var second = Input.of(SAID, "you").and(TURNS, 10L).and(MARKS, Map.of("a", 1));
    var state = completed(graph.invoke(second, options));
    assertThat(state.get(SAID)).containsExactly("hi", "echo hi", "you", "echo you");
    assertThat(state.get(TURNS)).isEqualTo(12);
    assertThat(state.get(MARKS)).isEqualTo(Map.of("a", 1));
    assertThat(state.version(SAID)).isEqualTo(4);
    var kept = graph.state(options).orElseThrow();
    assertThat(kept.state().get(SAID)).isEqualTo(state.get(SAID));
    assertThat(kept.state().version(SAID)).isEqualTo(4);
    assertThat(kept.next()).isEmpty();
    assertThat(kept.step()).isEqualTo(3);
  }

  @Test
  void two_threads_of_one_store_do_not_see_each_other() throws Exception {
    var graph = graph(ECHO);
    var store = new InMemoryCheckpointer();
    completed(graph.invoke(Input.of(SAID, "x"), RunOptions.thread("one").checkpoints(store)));
    var two = RunOptions.thread("two").checkpoints(store);
    assertThat(completed(graph.invoke(Input.of(SAID, "y"), two)).get(SAID))
        .containsExactly("y", "echo y");
  }

  @Test
  void a_run_without_a_thread_leaves_nothing() throws Exception {
    var graph = graph(ECHO);
    assertThat(completed(graph.invoke(Input.of(SAID, "x"))).get(SAID)).hasSize(2);
    assertThat(completed(graph.invoke(Input.of(SAID, "x"))).get(SAID)).hasSize(2);
  }

  @Test
  void resuming_an_unknown_thread_is_an_error() {
    var error = thrown(ThreadError.class, () -> graph(ECHO).resume(Answers.none(), kept()));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.UNKNOWN);
    assertThat(error.code()).isEqualTo("thread.unknown");
    assertThat(error).hasMessageContaining("`t`");
    assertThat(graph(ECHO).state(kept())).isEmpty();
  }

  @Test
  void resuming_a_finished_thread_is_completed_at_once() throws Exception {
    var graph = graph(ECHO);
    var options = kept();
    completed(graph.invoke(Input.of(SAID, "x"), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).hasSize(2);
  }

  @Test
  void a_thread_with_work_left_takes_no_new_input() throws Exception {
    var graph = graph((_, context) -> Update.of(SAID, context.interrupt(ASK, "?")));
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var error = thrown(ThreadError.class, () -> graph.invoke(Input.of(SAID, "x"), options));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.UNFINISHED);
    assertThat(error).hasMessageContaining(open.id());
    assertThat(completed(graph.resume(Answers.of(open.id(), "y"), options)).get(SAID))
        .containsExactly("y");
    var broken =
        graph((_, _) -> {
          throw new IllegalStateException("no");
        });
    var other = kept();
    thrown(NodeFailed.class, () -> broken.invoke(Input.none(), other));
    assertThat(thrown(ThreadError.class, () -> broken.invoke(Input.none(), other)))
        .hasMessageContaining("[a]")
        .hasMessageContaining("Resume");
  }

  @Test
  @Tag("A17")
  @Tag("W28")
  void a_thread_of_another_graph_or_another_shape_is_refused() throws Exception {
    var options = kept();
    completed(graph(ECHO).invoke(Input.of(SAID, "x"), options));
    var other = builder("other", ECHO).compile();
    var error = thrown(ThreadError.class, () -> other.invoke(Input.of(SAID, "x"), options));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.OTHER_GRAPH);
    assertThat(error).hasMessageContaining("`chat`").hasMessageContaining("`other`");
    var changed = builder("chat", ECHO).node("b", ECHO).edge("a", "b").edge("b", END).compile();
    assertThat(thrown(ThreadError.class, () -> changed.resume(Answers.none(), options)))
        .hasMessageContaining("another shape");
  }

  @Test
  void options_without_a_thread_or_store_are_an_error_that_says_what_to_add() {
    var graph = graph(ECHO);
    assertThat(
            thrown(
                IllegalArgumentException.class,
                () -> graph.resume(Answers.none(), RunOptions.defaults())))
        .hasMessageContaining("RunOptions.thread(\"t-42\").checkpoints(store)");
    assertThat(
            thrown(
                IllegalArgumentException.class,
                () ->
                    graph.invoke(
                        Input.none(),
                        RunOptions.defaults().checkpoints(new InMemoryCheckpointer()))))
        .hasMessageContaining("RunOptions.thread(\"t-42\")");
  }

  @Test
  void metadata_is_visible_to_nodes_and_saved_with_the_thread() throws Exception {
    var seen = new AtomicReference<Map<String, String>>();
    var graph =
        graph((_, context) -> {
          seen.set(context.metadata());
          return NodeResult.nothing();
        });
    var options = kept().metadata("user", "u-1").metadata("origin", "web");
    completed(graph.invoke(Input.none(), options));
    assertThat(seen.get()).containsExactly(Map.entry("user", "u-1"), Map.entry("origin", "web"));
    assertThat(graph.state(options).orElseThrow().metadata()).isEqualTo(seen.get());
  }
}
