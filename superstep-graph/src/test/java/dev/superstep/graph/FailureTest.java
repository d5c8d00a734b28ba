package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ReducerFailed;
import dev.superstep.error.RouterFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T88")
class FailureTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Node NOTHING = (_, _) -> NodeResult.nothing();

  static Graph pair(Node a, Node b) {
    return Graph.named("pair")
        .channels(PATH)
        .node("a", a)
        .node("b", b)
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", END)
        .edge("b", END)
        .compile();
  }

  static Graph alone(Node a) {
    return Graph.named("alone")
        .channels(PATH)
        .node("a", a)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  @Test
  @Tag("E1")
  @Tag("T116")
  void an_exception_is_the_cause_and_the_node_and_step_are_named() {
    var error =
        thrown(
            NodeFailed.class,
            () ->
                alone(
                        (_, _) -> {
                          throw new IOException("disk full");
                        })
                    .invoke(Input.none()));
    assertThat(error.node()).isEqualTo("a");
    assertThat(error.step()).isEqualTo(1);
    assertThat(error)
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("`a`")
        .hasMessageContaining("`alone`")
        .hasMessageContaining("step 1")
        .hasMessageContaining("IOException: disk full");
  }

  @Test
  void an_error_of_a_node_is_a_failure_of_the_node_alone_or_with_others() {
    Node broken =
        (_, _) -> {
          throw new StackOverflowError();
        };
    assertThat(thrown(NodeFailed.class, () -> alone(broken).invoke(Input.none())))
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(thrown(NodeFailed.class, () -> pair(broken, NOTHING).invoke(Input.none())))
        .hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void null_instead_of_a_result_is_a_failure_that_says_what_to_return() {
    assertThat(thrown(NodeFailed.class, () -> alone((_, _) -> null).invoke(Input.none())))
        .hasMessageContaining("NodeResult.nothing()")
        .satisfies(invalid(Reason.RETURNED_NULL));
  }

  @Test
  void all_failures_of_a_superstep_are_reported_in_task_order() {
    Node a =
        (_, _) -> {
          throw new IllegalStateException("one");
        };
    Node b =
        (_, _) -> {
          throw new IllegalStateException("two");
        };
    var error = thrown(NodeFailed.class, () -> pair(a, b).invoke(Input.none()));
    assertThat(error).hasMessageContaining("one");
    assertThat(error.getSuppressed()).singleElement().asString().contains("`b`").contains("two");
  }

  @Test
  @Tag("W17")
  @Tag("W53")
  void a_failed_task_does_not_stop_its_siblings() throws Exception {
    var runs = new AtomicInteger();
    var broken = new AtomicInteger(2);
    var graph =
        pair(
            (_, _) -> {
              if (broken.decrementAndGet() >= 0) throw new IllegalStateException("not yet");
              return Update.of(PATH, "a");
            },
            (_, _) -> {
              runs.incrementAndGet();
              return Update.of(PATH, "b");
            });
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("a", "b");
    assertThat(runs).hasValue(1);
  }

  @Test
  void a_node_that_finished_does_not_run_again_because_the_router_after_it_failed()
      throws Exception {
    var runs = new AtomicInteger();
    var broken = new AtomicInteger(1);
    var graph =
        Graph.named("router")
            .channels(PATH)
            .node(
                "charge",
                (_, _) -> {
                  runs.incrementAndGet();
                  return Update.of(PATH, "charged");
                })
            .edge(START, "charge")
            .route(
                "charge",
                _ -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("no");
                  return END;
                },
                END)
            .compile();
    var options = kept();
    thrown(RouterFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("charged");
    assertThat(runs).hasValue(1);
  }

  @Test
  void a_class_that_a_reducer_or_router_misses_is_their_failure_and_no_node_runs_again()
      throws Exception {
    var runs = new AtomicInteger();
    var missing = new AtomicInteger(2);
    var names =
        Channel.folding(
            "names",
            String.class,
            String.class,
            "",
            (before, name) -> before + loaded(name, missing));
    var graph =
        Graph.named("missing")
            .channels(names)
            .node(
                "charge",
                (_, _) -> {
                  runs.incrementAndGet();
                  return Update.of(names, "charged");
                })
            .edge(START, "charge")
            .route("charge", _ -> loaded(END, missing), END)
            .compile();
    var options = kept();
    assertThat(thrown(ReducerFailed.class, () -> graph.invoke(Input.none(), options)))
        .hasCauseInstanceOf(NoClassDefFoundError.class);
    assertThat(thrown(RouterFailed.class, () -> graph.resume(Answers.none(), options)))
        .hasCauseInstanceOf(NoClassDefFoundError.class);
    assertThat(completed(graph.resume(Answers.none(), options)).get(names)).isEqualTo("charged");
    assertThat(runs).hasValue(1);
  }

  /// What it is given, but for its first use, which is a fold, and its third, which is a routing.
  private static String loaded(String value, AtomicInteger missing) {
    int left = missing.getAndDecrement();
    if (left == 2 || left == 0) throw new NoClassDefFoundError("com/example/Gone");
    return value;
  }

  @Test
  void reading_a_channel_that_was_never_written_says_so() {
    var empty = Channel.latest("empty", String.class);
    var graph =
        Graph.named("empty")
            .channels(empty)
            .node("a", (state, _) -> Update.of(empty, state.get(empty)))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none())))
        .hasCauseInstanceOf(EmptyChannel.class)
        .hasMessageContaining("`empty`")
        .hasMessageContaining("`find`");
  }

  @Test
  void every_failed_run_ends_with_an_event_that_says_so() {
    var events = new ArrayList<Event>();
    var options = RunOptions.defaults().listener(events::add);
    var sum = Channel.sum("sum");
    var overflow =
        Graph.named("overflow")
            .channels(sum)
            .node("a", (_, _) -> Update.of(sum, Long.MAX_VALUE))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    thrown(ReducerFailed.class, () -> overflow.invoke(Input.of(sum, 1L), options));
    assertThat(events.getLast()).isInstanceOf(Event.RunFailed.class);
  }
}
