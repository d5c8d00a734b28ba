package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.RunRefused;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState.BlockReason;
import dev.superstep.run.ThreadState.BlockedNode;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs end where they can be resumed, at any depth, and go on as if nothing had happened.
@Tag("G26")
@Timeout(60)
class DrainTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Channel<Integer, Integer> ROUND = Channel.latest("round", Integer.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final int ROUNDS = 40;

  /// How often each node ran, by its name and what it was to do.
  private final Map<String, Integer> ran = new ConcurrentSkipListMap<>();

  private Drain drain = new Drain();

  private String did(String what) {
    ran.merge(what, 1, Integer::sum);
    return what;
  }

  /// A graph that goes round; in one of its rounds the drain is started.
  private Graph rounds(String name, int drained) {
    return Graph.named(name)
        .channels(SAID, ROUND)
        .node(
            "turn",
            (state, _) -> {
              int round = state.find(ROUND).orElse(0) + 1;
              if (round == drained) drain.start();
              return Update.of(SAID, did(name + round)).and(ROUND, round);
            })
        .edge(START, "turn")
        .route("turn", state -> state.get(ROUND) < ROUNDS ? "turn" : END, "turn", END)
        .compile();
  }

  private static Subgraph<State> apart(Graph graph) {
    return Subgraph.of(graph, _ -> Input.none(), end -> Update.of(SAID, end.get(SAID).getLast()));
  }

  private static GraphBuilder around(String name, Subgraph<State> inside) {
    return Graph.named(name)
        .channels(SAID)
        .questions(ASK)
        .node("inside", inside)
        .node("after", (_, _) -> Update.of(SAID, name + " after"))
        .sequence(START, "inside", "after", END);
  }

  private static void drained(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DRAINED);
  }

  private void ranOnce() {
    assertThat(ran.values()).isNotEmpty().containsOnly(1);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_subgraph_two_levels_deep_stops_after_its_superstep_and_resumes_there(Durability durability)
      throws Exception {
    var middle = around("middle", apart(rounds("inner", 3))).compile();
    var graph = around("outer", apart(middle)).compile();
    var options = kept().durability(durability);
    drained(graph.invoke(Input.none(), options.drain(drain)));
    assertThat(ran).containsOnlyKeys("inner1", "inner2", "inner3");
    var state = graph.state(options).orElseThrow();
    assertThat(state.blocked()).containsExactly(new BlockedNode("inside", BlockReason.DRAIN));
    var deepest = state.inside().get("inside").inside().get("inside");
    assertThat(deepest.state().get(ROUND)).isEqualTo(3);
    assertThat(deepest.blocked()).containsExactly(new BlockedNode("turn", BlockReason.DRAIN));
    var end = completed(graph.resume(Answers.none(), options));
    assertThat(end.get(SAID)).containsExactly("middle after", "outer after");
    assertThat(ran).hasSize(ROUNDS);
    ranOnce();
    assertThat(graph.state(options).orElseThrow().blocked()).isEmpty();
  }

  @Test
  void a_drained_stream_stops_inside_the_subgraph() throws Exception {
    var in = new CountDownLatch(1);
    var gate = new CountDownLatch(1);
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node(
                "a",
                (_, _) -> {
                  in.countDown();
                  gate.await();
                  return Update.of(SAID, did("a"));
                })
            .node("b", (_, _) -> Update.of(SAID, did("b")))
            .sequence(START, "a", "b", END)
            .compile();
    var graph = around("outer", Subgraph.shared(inner)).compile();
    var options = kept();
    try (var run = graph.stream(Input.none(), options)) {
      in.await();
      run.drain();
      gate.countDown();
      drained(run.outcome());
    }
    assertThat(ran).containsOnlyKeys("a");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("a", "b", "outer after");
    ranOnce();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void siblings_finish_their_supersteps_whether_something_is_inside_or_not(boolean dataflow)
      throws Exception {
    var inner = rounds("inner", 2);
    var graph =
        around("outer", apart(inner))
            .node("second", apart(rounds("second", 0)))
            .node("plain", (_, _) -> Update.of(SAID, did("plain")))
            .sequence(START, "second", "after")
            .sequence(START, "plain", "after")
            .compile();
    var undisturbed = completed(graph.invoke(Input.none(), kept())).get(SAID);
    ran.clear();
    drain = new Drain();
    var options = dataflow ? kept().dataflow() : kept();
    drained(graph.invoke(Input.none(), options.drain(drain)));
    assertThat(ran).containsKeys("inner2", "plain").doesNotContainKeys("inner3");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID)).isEqualTo(undisturbed);
    assertThat(ran).hasSize(2 * ROUNDS + 1);
    ranOnce();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void sent_subgraphs_each_resume_where_they_stopped(Durability durability) throws Exception {
    var part = Channel.latest("part", Integer.class);
    var inner =
        Graph.named("inner")
            .channels(SAID, part)
            .node(
                "first",
                (state, _) -> {
                  if (state.get(part) == 2) drain.start();
                  return Update.of(SAID, did("first" + state.get(part)));
                })
            .node("last", (state, _) -> Update.of(SAID, did("last" + state.get(part))))
            .sequence(START, "first", "last", END)
            .compile();
    var each = Target.of("each", Integer.class);
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node(
                each,
                Subgraph.of(
                    inner,
                    (Integer n) -> Input.of(part, n),
                    end -> Update.of(SAID, end.get(SAID).getLast())))
            .node("split", (_, _) -> NodeResult.nothing())
            .edge(START, "split")
            .fanOut(
                "split", _ -> List.of(Send.to(each, 1), Send.to(each, 2), Send.to(each, 3)), each)
            .edge("each", END)
            .compile();
    var options = kept().durability(durability).concurrency(1);
    drained(graph.invoke(Input.none(), options.drain(drain)));
    // The third was drained before its first superstep.
    assertThat(ran).containsOnlyKeys("first1", "last1", "first2");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("last1", "last2", "last3");
    assertThat(ran).hasSize(6);
    ranOnce();
  }

  @Test
  void a_subgraph_with_memory_continues_from_its_last_state() throws Exception {
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node(
                "a",
                (state, _) -> {
                  if (state.get(SAID).size() == 2) drain.start();
                  return Update.of(SAID, did("a" + state.get(SAID).size()));
                })
            .node("b", (state, _) -> Update.of(SAID, did("b" + state.get(SAID).size())))
            .sequence(START, "a", "b", END)
            .compile();
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node(
                "inside",
                Subgraph.<State>of(
                        inner,
                        _ -> Input.none(),
                        end -> Update.of(SAID, String.join(" ", end.get(SAID))))
                    .remembering())
            .edge(START, "inside")
            .route("inside", state -> state.get(SAID).size() < 3 ? "inside" : END, "inside", END)
            .compile();
    var options = kept();
    drained(graph.invoke(Input.none(), options.drain(drain)));
    assertThat(ran).containsOnlyKeys("a0", "b1", "a2");
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("a0 b1", "a0 b1 a2 b3", "a0 b1 a2 b3 a4 b5");
    ranOnce();
  }

  @Test
  void a_question_next_to_a_drained_subgraph_is_asked_when_the_run_resumes() throws Exception {
    var graph =
        around("outer", apart(rounds("inner", 2)))
            .node("ask", (_, context) -> Update.of(SAID, context.interrupt(ASK, "?")))
            .sequence(START, "ask", "after")
            .compile();
    var options = kept();
    drained(graph.invoke(Input.none(), options.drain(drain)));
    var question = asked(graph.resume(Answers.none(), options)).getFirst();
    assertThat(ran).hasSize(ROUNDS);
    completed(graph.resume(Answers.of(question.id(), "yes"), options));
    ranOnce();
  }

  @Test
  void a_subgraph_without_a_checkpointer_runs_to_its_end_first() throws Exception {
    var graph = around("outer", apart(rounds("inner", 2)).withoutCheckpoints()).compile();
    var options = kept();
    drained(graph.invoke(Input.none(), options.drain(drain)));
    assertThat(ran).hasSize(ROUNDS);
    assertThat(graph.state(options).orElseThrow().next()).containsExactly("after");
    completed(graph.resume(Answers.none(), options));
    ranOnce();
  }

  @Test
  void a_run_without_a_checkpointer_runs_to_its_end() throws Exception {
    var graph = around("outer", apart(rounds("inner", 2))).compile();
    completed(graph.invoke(Input.none(), RunOptions.defaults().drain(drain)));
    assertThat(ran).hasSize(ROUNDS);
  }

  @Test
  void a_run_that_a_node_begins_ends_with_the_node() throws Exception {
    var own = rounds("own", 0);
    var store = new InMemoryCheckpointer();
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node(
                "calls",
                (_, _) -> {
                  Drain.ofProcess().start();
                  var end = completed(own.invoke(Input.none(), kept().on("inner", store)));
                  return Update.of(SAID, end.get(SAID).getLast());
                })
            .node("after", (_, _) -> Update.of(SAID, "after"))
            .sequence(START, "calls", "after", END)
            .compile();
    var options = RunOptions.thread("t").checkpoints(store);
    try {
      drained(graph.invoke(Input.none(), options));
      assertThat(Drain.ofProcess().running()).isEmpty();
    } finally {
      Drain.ofProcess().stop();
    }
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("own" + ROUNDS, "after");
    ranOnce();
  }

  @Test
  void a_drained_process_refuses_new_runs_and_stores_nothing_of_them() throws Exception {
    var graph = rounds("inner", 0);
    var options = kept();
    drain.start();
    var refused = thrown(RunRefused.class, () -> graph.invoke(Input.none(), options.drain(drain)));
    assertThat(refused).hasMessageContaining("`inner`").hasMessageContaining("`t`");
    try (var run = graph.stream(Input.none(), options.drain(drain))) {
      thrown(RunRefused.class, run::outcome);
    }
    assertThat(graph.state(options)).isEmpty();
    assertThat(drain.await(Duration.ofSeconds(5))).isEmpty();
    drain.stop();
    completed(graph.invoke(Input.none(), options.drain(drain)));
  }

  @Test
  void a_process_drain_stops_all_runs_without_their_own_and_lists_those_that_are_late()
      throws Exception {
    var in = new CountDownLatch(3);
    var gate = new CountDownLatch(1);
    var late = new CountDownLatch(1);
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node(
                "a",
                (_, context) -> {
                  in.countDown();
                  (context.thread().equals(Optional.of("t2")) ? late : gate).await();
                  return Update.of(SAID, did("a" + context.thread().orElseThrow()));
                })
            .node("b", (_, context) -> Update.of(SAID, did("b" + context.thread().orElseThrow())))
            .sequence(START, "a", "b", END)
            .compile();
    var graph = around("outer", Subgraph.shared(inner)).compile();
    var store = new InMemoryCheckpointer();
    var runs = new TreeMap<String, FutureTask<Outcome>>();
    for (var name : List.of("t1", "t2", "t3")) {
      var options = RunOptions.thread(name).checkpoints(store);
      var own = name.equals("t3") ? options.drain(drain) : options;
      var run = new FutureTask<>(() -> graph.invoke(Input.none(), own));
      runs.put(name, run);
      Thread.ofVirtual().start(run);
    }
    in.await();
    var process = Drain.ofProcess();
    assertThatThrownBy(() -> process.await(Duration.ZERO))
        .isInstanceOf(IllegalStateException.class);
    process.start();
    try {
      gate.countDown();
      drained(runs.get("t1").get());
      completed(runs.get("t3").get());
      assertThat(process.await(Duration.ofMillis(1)))
          .extracting(Drain.ActiveRun::graph, running -> running.thread().orElseThrow())
          .containsExactly(org.assertj.core.groups.Tuple.tuple("outer", "t2"));
      late.countDown();
      assertThat(process.await(Duration.ofSeconds(50))).isEmpty();
      drained(runs.get("t2").get());
    } finally {
      process.stop();
    }
    for (var name : List.of("t1", "t2")) {
      var options = RunOptions.thread(name).checkpoints(store);
      assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
          .containsExactly("a" + name, "b" + name, "outer after");
    }
    assertThat(ran).hasSize(6);
    ranOnce();
  }

  @Test
  void a_breakpoint_in_a_subgraph_next_to_a_drained_one_is_reported_and_both_resume()
      throws Exception {
    var pausing =
        Graph.named("pausing")
            .channels(SAID)
            .node("x", (_, _) -> Update.of(SAID, did("x")))
            .node("y", (_, _) -> Update.of(SAID, did("y")))
            .sequence(START, "x", "y", END)
            .breakpoints(Breakpoints.none().before("y"))
            .compile();
    var graph =
        around("outer", apart(rounds("inner", 2)))
            .node("pausing", Subgraph.shared(pausing))
            .sequence(START, "pausing", "after")
            .compile();
    var options = kept().concurrency(1);
    var stopped = (Outcome.Stopped) graph.invoke(Input.none(), options.drain(drain));
    var reasons = new ArrayList<>(List.of(stopped.reason()));
    var runs = new AtomicInteger();
    Outcome outcome;
    do {
      outcome = graph.resume(Answers.none(), options);
      if (outcome instanceof Outcome.Stopped(var reason, _)) reasons.add(reason);
    } while (!(outcome instanceof Outcome.Completed) && runs.incrementAndGet() < 5);
    completed(outcome);
    // The graph that was to pause was itself drained before it came to the place, or paused there.
    assertThat(reasons).containsOnlyOnce(Outcome.Reason.PAUSED);
    assertThat(ran).hasSize(ROUNDS + 2);
    ranOnce();
  }
}
