package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Approval;
import dev.superstep.node.ContextKey;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G13")
class ContextKeyTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final ContextKey<AtomicInteger> COUNTER =
      ContextKey.of("counter", AtomicInteger.class);
  private static final ContextKey<String> USER = ContextKey.of("user", String.class);
  private static final Question<String, Approval> SURE =
      Question.of("sure", String.class, Approval.class);

  private static Graph graph(Node node) {
    return Graph.named("given")
        .channels(SAID)
        .questions(SURE)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  @Test
  void a_node_gets_the_very_object_that_the_caller_gave() throws Exception {
    var counter = new AtomicInteger();
    var graph =
        graph((_, context) -> {
          context.get(COUNTER).incrementAndGet();
          return Update.of(SAID, "for " + context.get(USER));
        });
    var options = RunOptions.defaults().with(COUNTER, counter).with(USER, "Ada");
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID)).isEqualTo("for Ada");
    assertThat(counter).hasValue(1);
  }

  @Test
  void shared_values_are_created_once_per_run_including_subgraphs() throws Exception {
    Node count =
        (_, context) ->
            Update.of(SAID, "" + context.shared(COUNTER, AtomicInteger::new).incrementAndGet());
    var inside = graph(count);
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node("first", count)
            .node(
                "in", Subgraph.of(inside, _ -> Input.none(), end -> Update.of(SAID, end.get(SAID))))
            .sequence(START, "first", "in", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(SAID)).isEqualTo("2");
    assertThat(completed(graph.invoke(Input.none())).get(SAID)).isEqualTo("2");
  }

  /// A value that a run shares and that notes when it is closed.
  private record Held(AtomicInteger closed) implements AutoCloseable {
    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void shared_values_are_closed_once_when_the_run_ends_whether_it_failed_or_not() throws Exception {
    var held = ContextKey.of("held", Held.class);
    for (boolean fails : new boolean[] {false, true}) {
      var closed = new AtomicInteger();
      Node use =
          (_, context) -> {
            assertThat(context.shared(held, () -> new Held(closed)).closed()).hasValue(0);
            if (fails && context.find(USER).isEmpty()) throw new IllegalStateException("fails");
            return Update.of(SAID, "used");
          };
      var inside = graph(use);
      var graph =
          Graph.named("outer")
              .channels(SAID)
              .node("first", use)
              .node(
                  "in",
                  Subgraph.of(inside, _ -> Input.none(), end -> Update.of(SAID, end.get(SAID))))
              .sequence(START, "first", "in", END)
              .compile();
      if (fails) assertThatThrownBy(() -> graph.invoke(Input.none())).isNotNull();
      else assertThat(completed(graph.invoke(Input.none())).get(SAID)).isEqualTo("used");
      assertThat(closed).hasValue(1);
    }
  }

  @Test
  void a_graph_inside_gets_it_too() throws Exception {
    var inside = graph((_, context) -> Update.of(SAID, context.get(USER)));
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node(
                "in", Subgraph.of(inside, _ -> Input.none(), end -> Update.of(SAID, end.get(SAID))))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    var end = graph.invoke(Input.none(), RunOptions.defaults().with(USER, "Ada"));
    assertThat(completed(end).get(SAID)).isEqualTo("Ada");
  }

  @Test
  @Tag("E4")
  void a_missing_context_value_is_an_error_or_empty() throws Exception {
    assertThat(
            completed(
                    graph((_, context) -> Update.of(SAID, context.find(USER).orElse("nobody")))
                        .invoke(Input.none()))
                .get(SAID))
        .isEqualTo("nobody");
    var error =
        thrown(
            NodeFailed.class,
            () -> graph((_, context) -> Update.of(SAID, context.get(USER))).invoke(Input.none()));
    assertThat(error).satisfies(invalid(Reason.MISSING_CONTEXT_VALUE));
  }

  @Test
  void a_resumed_run_needs_its_context_values_again() throws Exception {
    var graph =
        graph((_, context) -> {
          context.interrupt(SURE, "go on?");
          return Update.of(SAID, context.get(USER));
        });
    var options = kept();
    var question = asked(graph.invoke(Input.none(), options.with(USER, "Ada"))).getFirst();
    var answers = Answers.none().and(SURE.answer(question, Approval.yes()));
    var end = graph.resume(answers, options.with(USER, "Grace"));
    assertThat(completed(end).get(SAID)).isEqualTo("Grace");
  }
}
