package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.state.State;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is set for a node, for all nodes of a graph, and for a graph, also together.
@Timeout(60)
class NodeSettingsTest {
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);
  private static final Target<Failure> REPAIR = Target.of("repair", Failure.class);
  private static final Retry TWICE = Retry.of(2).backoff(Duration.ZERO, 1, Duration.ZERO);

  private final AtomicInteger runs = new AtomicInteger();

  private static NodePolicy policy() {
    return NodePolicy.defaults();
  }

  private Node failing() {
    return (_, _) -> {
      runs.incrementAndGet();
      throw new IOException("no");
    };
  }

  private static Node stuck() {
    return (_, _) -> {
      new CountDownLatch(1).await();
      return NodeResult.nothing();
    };
  }

  /// A node with a policy, in a graph with defaults.
  private static Graph alone(Node node, NodePolicy own, NodePolicy defaults) {
    return Graph.named("alone")
        .channels(PATH)
        .node("a", node, own)
        .node(
            REPAIR,
            (failure, _, _) -> Update.of(PATH, "repaired " + failure.node()),
            policy().onFailure(OnFailure.abort()))
        .edge(START, "a")
        .edge("a", END)
        .fanOut(START, _ -> List.of(), REPAIR)
        .edge("repair", END)
        .defaults(defaults)
        .compile();
  }

  @Test
  @Tag("T72")
  void a_default_holds_where_a_node_says_nothing_about_it() throws Exception {
    var retried = alone(failing(), policy().visits(9), policy().retry(TWICE));
    assertThat(thrown(NodeFailed.class, () -> retried.invoke(Input.none())).attempts())
        .isEqualTo(2);
    var skipped = alone(failing(), policy().retry(TWICE), policy().onFailure(OnFailure.skip()));
    assertThat(completed(skipped.invoke(Input.none())).get(PATH)).isEmpty();
    assertThat(runs).hasValue(4);
    var handled = alone(failing(), policy(), policy().onFailure(OnFailure.route(REPAIR)));
    assertThat(completed(handled.invoke(Input.none())).get(PATH)).containsExactly("repaired a");
    for (var limit :
        List.of(
            policy().timeout(Duration.ofMillis(5)), policy().idleTimeout(Duration.ofMillis(5)))) {
      assertThat(
              thrown(
                  NodeFailed.class,
                  () -> alone(stuck(), policy().visits(9), limit).invoke(Input.none())))
          .hasCauseInstanceOf(NodeTimedOut.class);
    }
  }

  @Test
  @Tag("T72")
  void what_a_node_says_itself_wins_over_the_default() throws Exception {
    var once = alone(failing(), policy().retry(Retry.never()), policy().retry(TWICE));
    assertThat(thrown(NodeFailed.class, () -> once.invoke(Input.none())).attempts()).isEqualTo(1);
    var routed =
        alone(
            failing(),
            policy().onFailure(OnFailure.route(REPAIR)),
            policy().onFailure(OnFailure.skip()));
    assertThat(completed(routed.invoke(Input.none())).get(PATH)).containsExactly("repaired a");
    var opened = new CountDownLatch(1);
    var patient =
        alone(
            (_, _) -> {
              opened.await();
              return Update.of(PATH, "in time");
            },
            policy().timeout(Duration.ofDays(1)),
            policy().timeout(Duration.ofNanos(1)));
    opened.countDown();
    assertThat(completed(patient.invoke(Input.none())).get(PATH)).containsExactly("in time");
  }

  @Test
  @Tag("T72")
  void defaults_hold_in_their_own_graph_and_not_in_those_inside_it() {
    var inner = alone(failing(), policy(), policy());
    var outer =
        Graph.named("outer")
            .channels(PATH)
            .node("inner", Subgraph.shared(inner), policy().retry(Retry.never()))
            .edge(START, "inner")
            .edge("inner", END)
            .defaults(policy().retry(TWICE).onFailure(OnFailure.skip()))
            .compile();
    assertThat(thrown(NodeFailed.class, () -> inner.invoke(Input.none())).attempts()).isEqualTo(1);
    assertThat(runs).hasValue(1);
    thrown(NodeFailed.class, () -> alone(failing(), policy(), policy()).invoke(Input.none()));
    // The outer default skips the node of the graph, whose own node was tried once.
    assertThat(catchOutcome(outer)).isInstanceOf(Outcome.Completed.class);
    assertThat(runs).hasValue(3);
  }

  private static Outcome catchOutcome(Graph graph) {
    try {
      return graph.invoke(Input.none());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Tag("T72")
  void a_default_number_of_visits_is_counted_for_each_node_apart() {
    var loop =
        Graph.named("loop")
            .channels(PATH)
            .node("a", (_, _) -> Update.of(PATH, "a"))
            .node("b", (_, _) -> Update.of(PATH, "b"), policy().visits(9))
            .edge(START, "a")
            .edge("a", "b")
            .route("b", state -> state.get(PATH).size() > 20 ? END : "a", "a", END)
            .defaults(policy().visits(3))
            .compile();
    var options = kept();
    var failed = thrown(NodeFailed.class, () -> loop.invoke(Input.none(), options));
    assertThat(failed).hasCauseInstanceOf(VisitLimitReached.class);
    assertThat(failed.node()).isEqualTo("a");
    assertThat(loop.state(options).orElseThrow().state().get(PATH))
        .containsExactly("a", "b", "a", "b", "a", "b");
  }

  @Test
  @Tag("T72")
  void the_limit_of_a_graph_holds_inside_another_one_and_a_run_may_set_its_own() throws Exception {
    var endless =
        Graph.named("endless")
            .channels(PATH)
            .node("a", (_, _) -> Update.of(PATH, "a"))
            .edge(START, "a")
            .route("a", state -> state.get(PATH).size() < 5 ? "a" : END, "a", END)
            .stepLimit(3)
            .compile();
    thrown(StepLimitReached.class, () -> endless.invoke(Input.none()));
    assertThat(
            completed(endless.invoke(Input.none(), RunOptions.defaults().stepLimit(5))).get(PATH))
        .hasSize(5);
    var outer =
        Graph.named("outer")
            .channels(PATH)
            .node("inner", Subgraph.shared(endless))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var failed =
        thrown(
            NodeFailed.class, () -> outer.invoke(Input.none(), RunOptions.defaults().stepLimit(5)));
    assertThat(failed).hasRootCauseInstanceOf(StepLimitReached.class);
  }

  /// A graph whose nodes have every setting: tried twice, cached, in limited time with heartbeats,
  /// deferred, with a handler, with commands to declared targets, and a question between them.
  private Graph everything(AtomicInteger flaky) {
    return Graph.named("everything")
        .channels(PATH)
        .questions(ASK)
        .node(
            "work",
            (_, context) -> {
              runs.incrementAndGet();
              context.heartbeat();
              if (flaky.getAndDecrement() > 0) throw new IOException("busy");
              return Update.of(PATH, "work");
            },
            policy()
                .retry(TWICE)
                .timeout(Duration.ofMinutes(1))
                .idleTimeout(Duration.ofMinutes(1))
                .cache(CachePolicy.by(_ -> "always the same"))
                .visits(1))
        .node(
            "broken",
            (_, _) -> {
              throw new IOException("broken");
            },
            policy().retry(TWICE).onFailure(OnFailure.route(REPAIR)))
        .node(REPAIR, (failure, _, _) -> Update.of(PATH, "repair after " + failure.attempts()))
        .node(
            "ask",
            (_, context) -> Command.to("last").with(Update.of(PATH, context.interrupt(ASK, "?"))))
        .node("late", (_, _) -> Update.of(PATH, "late"))
        .node("last", (_, _) -> Update.of(PATH, "last"))
        .edge(START, "work")
        .edge(START, "broken")
        .edge(START, "late")
        .edge("work", "ask")
        .edge("broken", END)
        .edge("repair", END)
        .destinations("ask", "last")
        .edge("last", END)
        .edge("late", END)
        .deferred("late")
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T73")
  void all_settings_of_nodes_hold_together_over_a_question_and_another_process(Durability when)
      throws Exception {
    var store = new InMemoryCheckpointer();
    var cache = InMemoryNodeCache.holding(10);
    var flaky = new AtomicInteger(1);
    var first = RunOptions.thread("t").checkpoints(store).durability(when).cache(cache);
    var question = asked(everything(flaky).invoke(Input.none(), first)).getFirst();
    assertThat(runs).hasValue(2);
    var again = RunOptions.thread("t").checkpoints(store).durability(when).cache(cache);
    var end = completed(everything(flaky).resume(Answers.of(question.id(), "yes"), again));
    assertThat(end.get(PATH)).containsExactly("work", "yes", "repair after 2", "last", "late");
    assertThat(runs).hasValue(2);
    var other = RunOptions.thread("u").checkpoints(store).durability(when).cache(cache);
    asked(everything(flaky).invoke(Input.none(), other));
    assertThat(runs).as("the cache has the result of another thread").hasValue(2);
  }

  @Test
  @Tag("T73")
  void an_error_handler_does_not_catch_itself() {
    var graph =
        Graph.named("handler")
            .channels(PATH)
            .node("a", failing(), policy().onFailure(OnFailure.route(REPAIR)))
            .node(
                REPAIR,
                (_, _, _) -> {
                  runs.incrementAndGet();
                  throw new IOException("handler");
                })
            .edge(START, "a")
            .edge("a", END)
            .edge("repair", END)
            .compile();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(failed.node()).isEqualTo("repair");
    assertThat(runs).hasValue(2);
  }

  /// Two nodes inside, of which the second fails once.
  private Graph inner(AtomicInteger broken) {
    return Graph.named("inner")
        .channels(PATH)
        .node(
            "first",
            (_, _) -> {
              runs.incrementAndGet();
              return Update.of(PATH, "first");
            })
        .node(
            "second",
            (_, _) -> {
              if (broken.getAndDecrement() > 0) throw new IOException("second");
              return Update.of(PATH, "second");
            })
        .edge(START, "first")
        .edge("first", "second")
        .edge("second", END)
        .compile();
  }

  private static Graph around(Subgraph<State> inner) {
    return Graph.named("around")
        .channels(PATH)
        .node("inner", inner)
        .edge(START, "inner")
        .edge("inner", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SYNC", "ASYNC"},
      value = Durability.class)
  @Tag("T75")
  void a_graph_inside_uses_the_outer_checkpointer_its_own_or_none(Durability when)
      throws Exception {
    var own = new InMemoryCheckpointer();
    var inherited = Subgraph.shared(inner(new AtomicInteger(1)));
    assertThat(runsUntilDone(inherited, when, new InMemoryCheckpointer())).isEqualTo(1);
    var elsewhere = Subgraph.shared(inner(new AtomicInteger(1))).checkpointer(own);
    var outer = new InMemoryCheckpointer();
    assertThat(runsUntilDone(elsewhere, when, outer)).isEqualTo(1);
    assertThat(own.latest(Lineage.of("t"))).isEmpty();
    assertThat(outer.latest(Lineage.of("t"))).isPresent();
    var unsaved = Subgraph.shared(inner(new AtomicInteger(1))).withoutCheckpoints();
    assertThat(runsUntilDone(unsaved, when, new InMemoryCheckpointer())).isEqualTo(2);
  }

  /// Returns how often the first node inside ran.
  private int runsUntilDone(Subgraph<State> inner, Durability when, InMemoryCheckpointer store)
      throws InterruptedException {
    runs.set(0);
    var graph = around(inner);
    var options = RunOptions.thread("t").checkpoints(store).durability(when);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(PATH)).containsExactly("first", "second");
    return runs.get();
  }

  @Test
  @Tag("T75")
  void a_store_a_cache_and_breakpoints_given_outside_reach_graphs_inside() throws Exception {
    var place = Namespace.of("notes");
    var store = InMemoryStore.open();
    var inner =
        Graph.named("inner")
            .channels(PATH)
            .node(
                "note",
                (_, context) -> {
                  runs.incrementAndGet();
                  context.store().put(place, "k", "kept");
                  return Update.of(PATH, "note");
                },
                policy().cache(CachePolicy.by(_ -> "one")))
            .node("after", (_, _) -> Update.of(PATH, "after"))
            .edge(START, "note")
            .edge("note", "after")
            .edge("after", END)
            .breakpoints(Breakpoints.none().before("after"))
            .compile();
    var cache = InMemoryNodeCache.holding(9);
    for (var thread : List.of("t", "u")) {
      var options =
          RunOptions.thread(thread)
              .checkpoints(new InMemoryCheckpointer())
              .store(store)
              .cache(cache);
      var graph = around(Subgraph.shared(inner));
      assertThat(graph.invoke(Input.none(), options))
          .isInstanceOfSatisfying(
              Outcome.Stopped.class,
              stopped -> assertThat(stopped.reason()).isEqualTo(Outcome.Reason.PAUSED));
      assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
          .containsExactly("note", "after");
    }
    assertThat(runs).as("the second thread has it from the cache").hasValue(1);
    assertThat(store.get(place, "k")).isPresent();
  }

  @Test
  @Tag("E14")
  void a_builder_never_throws_and_compiling_refuses_reserved_names_together() {
    var builder =
        Graph.named("bad")
            .channels(PATH)
            .node("fine", (_, _) -> NodeResult.nothing())
            .node(START, (_, _) -> NodeResult.nothing())
            .node(END, (_, _) -> NodeResult.nothing())
            .edge(START, "fine")
            .edge("fine", "nowhere")
            .edge(END, "fine");
    var problems = thrown(InvalidGraph.class, builder::compile).problems();
    assertThat(problems).extracting(Problem::message).anyMatch(m -> m.contains(START));
    assertThat(problems).extracting(Problem::message).anyMatch(m -> m.contains("nowhere"));
    assertThat(problems).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  @Tag("E14")
  void a_thread_is_invoked_read_resumed_and_has_a_history() throws Exception {
    var graph =
        Graph.named("small")
            .channels(PATH)
            .questions(ASK)
            .node("ask", (_, context) -> Update.of(PATH, context.interrupt(ASK, "left?")))
            .node("left", (_, _) -> Update.of(PATH, "went left"))
            .node("right", (_, _) -> Update.of(PATH, "went right"))
            .edge(START, "ask")
            .route("ask", state -> state.get(PATH).getLast(), "left", "right")
            .edge("left", END)
            .edge("right", END)
            .compile();
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var waiting = graph.state(options).orElseThrow();
    assertThat(waiting.questions()).containsExactly(open);
    assertThat(waiting.next()).containsExactly("ask");
    assertThat(completed(graph.resume(Answers.to(ASK, "right"), options)).get(PATH))
        .containsExactly("right", "went right");
    assertThat(graph.state(options).orElseThrow().next()).isEmpty();
    assertThat(graph.history(Optional.empty(), 9, options)).hasSize(3);
  }
}
