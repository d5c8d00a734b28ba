package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X8")
@Tag("G11")
@Tag("T73")
class OnFailureTest {
  static final Target<Failure> REPAIR = Target.of("repair", Failure.class);
  static final Target<Integer> ITEM = Target.of("item", Integer.class);

  static final java.time.Duration ZERO = java.time.Duration.ZERO;

  private final AtomicInteger runs = new AtomicInteger();
  private final Node broken =
      (_, _) -> {
        runs.incrementAndGet();
        throw new IOException("disk full");
      };

  private static NodePolicy then(OnFailure onFailure) {
    return NodePolicy.defaults().onFailure(onFailure);
  }

  private static Node writing(String text) {
    return (_, _) -> Update.of(PATH, text);
  }

  /// The node, then `after`.
  private static GraphBuilder chain(Node node, NodePolicy policy) {
    return Graph.named("chain")
        .channels(PATH)
        .node("a", node, policy)
        .node("after", writing("after"))
        .edge(START, "a")
        .edge("a", "after")
        .edge("after", END);
  }

  private static SendNode<Failure> repairing() {
    return (failure, _, context) ->
        Update.of(
            PATH,
            context.node() + " " + failure.node() + ": " + failure.message() + failure.attempts());
  }

  @Test
  void a_skipped_node_writes_nothing_and_its_successors_run() throws Exception {
    var events = new ArrayList<Event>();
    var graph = chain(broken, then(OnFailure.skip())).compile();
    var outcome = graph.invoke(Input.none(), kept().listener(events::add));
    assertThat(completed(outcome).get(PATH)).containsExactly("after");
    assertThat(kinds(events))
        .startsWith(
            "run.started",
            "step.started [a]",
            "node.started a",
            "node.failed a",
            "node.finished a",
            "step.finished [after]");
    assertThat(((Event.NodeFailed) events.get(3)).then()).isEqualTo(Event.NodeFailed.Then.SKIP);
  }

  @Test
  void a_fallback_is_written_instead() throws Exception {
    var graph = chain(broken, then(OnFailure.fallback(Update.of(PATH, "plan b")))).compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH)).containsExactly("plan b", "after");
  }

  @Test
  void a_handler_is_sent_the_failure_and_the_edges_of_the_node_are_not_followed() throws Exception {
    var graph =
        chain(broken, then(OnFailure.route(REPAIR)).retry(Retry.of(2)))
            .node(REPAIR, repairing())
            .edge("repair", END)
            .compile();
    var outcome = graph.invoke(Input.none(), kept().sleeper(_ -> {}));
    assertThat(completed(outcome).get(PATH)).containsExactly("repair a: IOException: disk full2");
  }

  @Test
  void a_handler_may_repair_the_state_and_lead_back_to_the_failed_node() throws Exception {
    var mended = new AtomicBoolean();
    var graph =
        Graph.named("mend")
            .channels(PATH)
            .node(
                "a",
                (_, _) -> {
                  if (!mended.get()) throw new IOException("no");
                  return Update.of(PATH, "a");
                },
                then(OnFailure.route(REPAIR)))
            .node("b", writing("b"))
            .node("c", writing("c"))
            .node(
                REPAIR,
                (_, _, _) -> {
                  mended.set(true);
                  return Update.of(PATH, "mended");
                })
            .edge(START, "a")
            .edge(START, "b")
            .edge("repair", "a")
            .join(List.of("a", "b"), "c")
            .edge("c", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly("b", "mended", "a", "c");
  }

  @Test
  void each_failed_item_of_a_fan_out_has_a_handler_of_its_own_with_its_argument() throws Exception {
    var graph =
        Graph.named("items")
            .channels(PATH)
            .node(
                ITEM,
                (n, _, _) -> {
                  if (n % 2 == 1) throw new IOException("odd");
                  return Update.of(PATH, "r" + n);
                },
                then(OnFailure.route(REPAIR)))
            .node(
                REPAIR,
                (failure, _, _) ->
                    Update.of(PATH, "again " + failure.argument().orElseThrow().text()))
            .fanOut(
                START,
                _ ->
                    List.of(Send.to(ITEM, 0), Send.to(ITEM, 1), Send.to(ITEM, 2), Send.to(ITEM, 3)),
                ITEM)
            .edge("item", END)
            .edge("repair", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none(), kept())).get(PATH))
        .containsExactly("r0", "r2", "again 1", "again 3");
  }

  @Test
  void a_node_whose_failure_was_handled_does_not_run_again_on_resumption() throws Exception {
    for (var onFailure :
        List.of(
            OnFailure.skip(),
            OnFailure.fallback(Update.of(PATH, "plan b")),
            OnFailure.route(REPAIR))) {
      runs.set(0);
      var flaky = new AtomicBoolean(true);
      var graph =
          chain(broken, then(onFailure))
              .node(
                  "sibling",
                  (_, _) -> {
                    if (flaky.getAndSet(false)) throw new IOException("once");
                    return NodeResult.nothing();
                  })
              .node(REPAIR, repairing())
              .edge(START, "sibling")
              .edge("sibling", END)
              // So that it is reached whatever becomes of failures.
              .fanOut("sibling", _ -> List.of(), REPAIR)
              .edge("repair", END)
              .compile();
      var options = kept();
      thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
      var state = completed(graph.resume(Answers.none(), options));
      assertThat(runs).hasValue(1);
      assertThat(state.get(PATH))
          .isEqualTo(
              switch (onFailure) {
                case OnFailure.Skip _ -> List.of("after");
                case OnFailure.Fallback _ -> List.of("plan b", "after");
                default -> List.of("repair a: IOException: disk full1");
              });
    }
  }

  @Test
  void the_failure_of_a_handler_fails_the_run() {
    var graph =
        chain(broken, NodePolicy.defaults())
            .defaults(then(OnFailure.route(REPAIR)))
            .node(
                REPAIR,
                (_, _, _) -> {
                  throw new IOException("worse");
                })
            .edge("repair", END)
            .compile();
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(error.node()).isEqualTo("repair");
  }

  @Test
  void a_cancelled_node_is_not_handled_however_it_puts_it() throws Exception {
    var in = new java.util.concurrent.CountDownLatch(1);
    var waits = new AtomicBoolean(true);
    var graph =
        chain(
                (_, _) -> {
                  if (!waits.getAndSet(false)) return Update.of(PATH, "a");
                  in.countDown();
                  try {
                    new java.util.concurrent.CountDownLatch(1).await();
                  } catch (InterruptedException _) {
                    throw new IllegalStateException("told nobody");
                  }
                  return NodeResult.nothing();
                },
                then(OnFailure.skip()))
            .node("b", writing("b"))
            .edge(START, "b")
            .edge("b", END)
            .compile();
    var options = kept();
    try (var run = graph.stream(Input.none(), options)) {
      in.await();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("a", "b", "after");
  }

  @Test
  void the_edge_to_a_handler_is_in_the_topology_and_other_policies_are_not() {
    var plain = chain(broken, NodePolicy.defaults()).compile();
    var retried = chain(broken, then(OnFailure.skip()).retry(Retry.of(3)).concurrency(2)).compile();
    assertThat(retried.topology()).isEqualTo(plain.topology());
    assertThat(retried.topology().hash()).isEqualTo(plain.topology().hash());
    var routed =
        chain(broken, then(OnFailure.route(REPAIR)))
            .node(REPAIR, repairing())
            .edge("repair", END)
            .compile();
    var edge = Topology.EdgeShape.of(Topology.EdgeKind.FAILED, "a", "repair");
    assertThat(routed.topology().edges()).contains(edge);
    assertThat(routed.topology().mermaid()).contains("-. failed .->");
    assertThat(Topology.parse(routed.topology().json())).isEqualTo(routed.topology());
  }

  @Test
  void policies_that_cannot_work_are_refused_together() {
    var other = Channel.latest("other", String.class);
    var lonely = Target.of("lonely", Failure.class);
    var graph =
        chain(broken, then(OnFailure.fallback(Update.of(other, "x"))))
            .node("b", writing("b"), then(OnFailure.route(lonely)))
            .node("c", writing("c"), then(OnFailure.route(REPAIR)))
            .node(REPAIR, repairing(), then(OnFailure.skip()))
            .node("d", (_, _) -> Command.to(END), then(OnFailure.skip()))
            .node("e", writing("e"), then(OnFailure.route(Target.of("b", Failure.class))))
            .edge(START, "b")
            .edge(START, "c")
            .edge(START, "d")
            .edge(START, "e")
            .edge("b", END)
            .edge("c", END)
            .edge("e", END)
            .edge("repair", END)
            .destinations("d", END);
    var error = thrown(InvalidGraph.class, graph::compile);
    assertThat(error.problems().stream().map(Problem::code))
        .contains(
            "undeclared-channel",
            "unknown-node",
            "handled-handler",
            "skipped-command",
            "handler-target");
  }

  @Test
  void a_node_whose_only_successor_is_its_handler_has_no_exit() {
    var graph =
        Graph.named("dead end")
            .channels(PATH)
            .node("a", broken, then(OnFailure.route(REPAIR)))
            .node(REPAIR, repairing())
            .edge(START, "a")
            .edge("repair", END);
    assertThat(thrown(InvalidGraph.class, graph::compile).problems().stream().map(Problem::code))
        .containsExactly("no-exit");
  }

  static final Channel<List<Failure>, Failure> FAILURES = Channel.append("failures", Failure.class);

  private Graph recorded(OnFailure.Handled then) {
    return Graph.named("recorded")
        .channels(PATH, FAILURES)
        .node(
            ITEM,
            (n, _, _) -> {
              runs.incrementAndGet();
              if (n % 2 == 1) throw new IOException("odd " + n);
              return Update.of(PATH, "item " + n);
            },
            then(then.recordedIn(FAILURES)).retry(Retry.of(2).backoff(ZERO, 1, ZERO)))
        .node(REPAIR, repairing())
        .fanOut(START, _ -> List.of(), REPAIR)
        .fanOut(
            START,
            _ -> List.of(Send.to(ITEM, 0), Send.to(ITEM, 1), Send.to(ITEM, 2), Send.to(ITEM, 3)),
            ITEM)
        .edge("item", END)
        .edge("repair", END)
        .compile();
  }

  @Test
  @Tag("G29")
  void handled_failures_are_written_to_a_channel_in_task_order() throws Exception {
    for (int concurrency : new int[] {1, 64}) {
      var options = RunOptions.defaults().concurrency(concurrency);
      for (var then :
          List.of(
              OnFailure.skip(),
              OnFailure.fallback(Update.of(PATH, "instead")),
              OnFailure.route(REPAIR))) {
        var state = completed(recorded(then).invoke(Input.none(), options));
        assertThat(state.get(FAILURES))
            .extracting(Failure::message)
            .containsExactly("IOException: odd 1", "IOException: odd 3");
        assertThat(state.get(FAILURES)).extracting(Failure::attempts).containsOnly(2);
        assertThat(state.get(PATH)).hasSize(then instanceof OnFailure.Skip ? 2 : 4);
      }
    }
  }

  @Test
  @Tag("G29")
  void recorded_failures_are_saved_with_the_thread_and_not_recorded_again() throws Exception {
    var broken = new AtomicBoolean(true);
    var graph =
        Graph.named("kept")
            .channels(PATH, FAILURES)
            .node("a", this.broken, then(OnFailure.skip().recordedIn(FAILURES)))
            .node(
                "b",
                (_, _) -> {
                  if (broken.get()) throw new IOException("not yet");
                  return Update.of(PATH, "b");
                })
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    broken.set(false);
    var state = completed(graph.resume(Answers.none(), options));
    assertThat(state.get(FAILURES)).extracting(Failure::node).containsExactly("a");
    assertThat(runs).hasValue(1);
    assertThat(graph.state(options).orElseThrow().state().get(FAILURES)).hasSize(1);
  }

  @Test
  @Tag("G29")
  void a_record_of_failures_must_be_declared() {
    var builder = chain(broken, then(OnFailure.skip().recordedIn(FAILURES)));
    var problem = thrown(InvalidGraph.class, builder::compile).problems().getFirst();
    assertThat(problem.code()).isEqualTo("undeclared-channel");
    assertThat(problem.message()).contains("record of failures").contains("`failures`");
  }
}
