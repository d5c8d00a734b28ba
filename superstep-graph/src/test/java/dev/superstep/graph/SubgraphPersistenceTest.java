package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Approval;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("T103")
class SubgraphPersistenceTest {
  static final Channel<List<String>, String> MEMORY = Channel.append("memory", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  private final AtomicInteger prepared = new AtomicInteger();

  /// Two supersteps; the second one is given.
  private Graph helper(Node second) {
    return Graph.named("helper")
        .channels(MEMORY)
        .questions(SURE)
        .node(
            "prepare",
            (state, _) -> {
              prepared.incrementAndGet();
              return Update.of(MEMORY, "p" + state.get(MEMORY).size());
            })
        .node("second", second)
        .edge(START, "prepare")
        .edge("prepare", "second")
        .edge("second", END)
        .compile();
  }

  private Graph helper() {
    return helper((_, _) -> NodeResult.nothing());
  }

  private static Subgraph<State> adapted(Graph helper) {
    return Subgraph.of(
        helper,
        (State state) -> Input.of(MEMORY, "round" + state.get(ROUND)),
        end -> Update.of(LOG, String.join(",", end.get(MEMORY))).and(ROUND, 1L));
  }

  /// Runs the helper until `rounds` have gone.
  private static Graph loop(Subgraph<State> helper, long rounds) {
    return Graph.named("loop")
        .channels(ROUND, LOG)
        .node("help", helper)
        .edge(START, "help")
        .route("help", state -> state.get(ROUND) < rounds ? "help" : END, "help", END)
        .compile();
  }

  @Test
  void a_subgraph_with_memory_continues_from_its_last_state() throws Exception {
    var graph = loop(adapted(helper()).remembering(), 2);
    var options = kept();
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
        .containsExactly("round0,p1", "round0,p1,round1,p3");
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG).getLast())
        .isEqualTo("round0,p1,round1,p3,round2,p5");
  }

  @Test
  void memory_is_not_shared_with_other_threads_or_nodes_and_needs_a_checkpointer()
      throws Exception {
    var store = new InMemoryCheckpointer();
    var graph =
        Graph.named("both")
            .channels(ROUND, LOG)
            .node("one", adapted(helper()).remembering())
            .node("two", adapted(helper()).remembering())
            .edge(START, "one")
            .edge("one", "two")
            .edge("two", END)
            .compile();
    for (var thread : List.of("a", "b")) {
      var options = RunOptions.thread(thread).checkpoints(store);
      assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
          .containsExactly("round0,p1", "round1,p1");
    }
    assertThat(completed(loop(adapted(helper()).remembering(), 2).invoke(Input.none())).get(LOG))
        .containsExactly("round0,p1", "round1,p1");
  }

  @Test
  @Tag("T88")
  void a_memory_is_exact_wherever_the_process_dies() throws Exception {
    UnaryOperator<Subgraph<State>> how = Subgraph::remembering;
    var expected =
        completed(loop(how.apply(adapted(helper())), 3).invoke(Input.none(), kept())).get(LOG);
    for (int writes = 1; ; writes++) {
      var store = FailingCheckpointer.afterWrites(new InMemoryCheckpointer(), writes);
      var options = RunOptions.thread("t").checkpoints(store);
      var first = loop(how.apply(adapted(helper())), 3);
      try {
        assertThat(completed(first.invoke(Input.none(), options)).get(LOG)).isEqualTo(expected);
        assertThat(writes).isGreaterThan(6);
        break;
      } catch (StoreFailed _) {
        store.mend();
        var again = loop(how.apply(adapted(helper())), 3);
        assertThat(completed(again.resume(Answers.none(), options)).get(LOG)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T88")
  void no_round_is_lost_or_repeated_wherever_the_process_dies_also_between_stores(Durability how)
      throws Exception {
    for (boolean apart : List.of(false, true)) {
      int deaths = 0;
      for (int writes = 0; ; writes++) {
        var own = new InMemoryCheckpointer();
        var store = FailingCheckpointer.afterWrites(own, Integer.MAX_VALUE);
        var other = store.with(apart ? new InMemoryCheckpointer() : own);
        var helper = adapted(helper()).remembering();
        var graph = loop(apart ? helper.checkpointer(other) : helper, 2);
        var options = RunOptions.thread("t").checkpoints(store).durability(how);
        completed(graph.invoke(Input.none(), options));
        store.dieAfter(writes);
        List<String> log;
        try {
          log = completed(graph.invoke(Input.none(), options)).get(LOG);
        } catch (StoreFailed _) {
          deaths++;
          store.mend();
          boolean isBegun = !graph.state(options).orElseThrow().next().isEmpty();
          log =
              completed(
                      isBegun
                          ? graph.resume(Answers.none(), options)
                          : graph.invoke(Input.none(), options))
                  .get(LOG);
          // One that had saved its end and died then has a round more, which it does not repeat.
          assertThat(log).hasSizeBetween(3, 4);
        }
        var last = log.size() == 3 ? "round0,p1,round1,p3,round2,p5" : "round3,p7";
        assertThat(log.getLast()).as(how + " " + writes).endsWith(last);
        if (store.isAlive()) break;
        store.mend();
      }
      assertThat(deaths).isPositive();
    }
  }

  @Test
  void a_memory_survives_questions_and_failures() throws Exception {
    var broken = new AtomicBoolean(true);
    var helper =
        helper((state, context) -> {
          if (!context.interrupt(SURE, "?").approved()) return NodeResult.nothing();
          if (broken.getAndSet(false)) throw new IllegalStateException("boom");
          return Update.of(MEMORY, "approved" + state.get(MEMORY).size());
        });
    var graph = loop(adapted(helper).remembering(), 2);
    var options = kept();
    var first = asked(graph.invoke(Input.none(), options)).getFirst();
    var yes = new Answers(List.of(SURE.answer(first, Approval.yes())));
    thrown(NodeFailed.class, () -> graph.resume(yes, options));
    var second = asked(graph.resume(Answers.none(), options)).getFirst();
    var no = new Answers(List.of(SURE.answer(second, Approval.no(""))));
    assertThat(completed(graph.resume(no, options)).get(LOG))
        .containsExactly("round0,p1,approved2", "round0,p1,approved2,round1,p4");
    assertThat(prepared).hasValue(2);
  }

  @Test
  void unfinished_work_of_an_activation_is_not_done_by_the_next_one() throws Exception {
    var helper =
        helper((state, _) -> {
          if (state.get(MEMORY).size() < 3) throw new IllegalStateException("boom");
          return Update.of(MEMORY, "second");
        });
    var skipping =
        Graph.named("loop")
            .channels(ROUND, LOG)
            .node(
                "help",
                adapted(helper).remembering(),
                NodePolicy.defaults()
                    .onFailure(OnFailure.fallback(Update.of(LOG, "failed").and(ROUND, 1L))))
            .edge(START, "help")
            .route("help", state -> state.get(ROUND) < 2 ? "help" : END, "help", END)
            .compile();
    assertThat(completed(skipping.invoke(Input.none(), kept())).get(LOG))
        .containsExactly("failed", "round0,p1,round1,p3,second");
  }

  @Test
  void the_memory_of_a_subgraph_survives_a_hand_off_of_its_outer_graph() throws Exception {
    var between =
        Graph.named("between")
            .channels(ROUND, LOG)
            .node("help", adapted(helper()).remembering())
            .node("leave", (_, _) -> Command.toGraph("around", "note"))
            .edge(START, "help")
            .edge(START, "leave")
            .edge("help", END)
            .edge("leave", END)
            .compile();
    var graph =
        Graph.named("around")
            .channels(ROUND, LOG)
            .node("between", Subgraph.shared(between).remembering())
            .node("note", (_, _) -> NodeResult.nothing())
            .edge(START, "between")
            .edge("between", END)
            .handOffs("between", "note")
            .edge("note", END)
            .compile();
    var options = kept();
    completed(graph.invoke(Input.none(), options));
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG).getLast())
        .isEqualTo("round0,p1,round1,p3");
  }

  @Test
  void a_memory_may_share_channels_without_doubling_them() throws Exception {
    var helper =
        Graph.named("helper")
            .channels(MEMORY, LOG, ROUND)
            .node(
                "work",
                (state, _) ->
                    Update.of(MEMORY, "m")
                        .and(LOG, state.get(MEMORY).size() + "/" + state.get(LOG).size())
                        .and(ROUND, 1L))
            .edge(START, "work")
            .edge("work", END)
            .compile();
    var graph = loop(Subgraph.shared(helper).remembering(), 3);
    assertThat(completed(graph.invoke(Input.none(), kept())).get(LOG))
        .containsExactly("0/0", "1/1", "2/2");
  }

  @Test
  void an_unsaved_subgraph_runs_again_as_a_whole() throws Exception {
    var broken = new AtomicBoolean(true);
    var helper =
        helper((_, _) -> {
          if (broken.getAndSet(false)) throw new IllegalStateException("boom");
          return NodeResult.nothing();
        });
    var graph = loop(adapted(helper).withoutCheckpoints(), 1);
    var options = kept();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(completed(graph.resume(Answers.none(), options)).get(LOG))
        .containsExactly("round0,p1");
    assertThat(prepared).hasValue(2);
  }

  @Test
  void an_unkept_graph_may_not_ask() {
    var helper =
        helper((_, context) -> {
          context.interrupt(SURE, "?");
          return NodeResult.nothing();
        });
    var graph = loop(adapted(helper).withoutCheckpoints(), 1);
    assertThat(thrown(NodeFailed.class, () -> graph.invoke(Input.none(), kept())))
        .satisfies(invalid(Reason.INTERRUPT_NEEDS_CHECKPOINTER));
  }

  @Test
  void a_subgraph_may_have_its_own_store() throws Exception {
    var own = new InMemoryCheckpointer();
    var outer = new InMemoryCheckpointer();
    var helper =
        helper(
            (_, context) -> Update.of(MEMORY, "" + context.interrupt(SURE, "go on?").approved()));
    var graph = loop(adapted(helper).remembering().checkpointer(own), 1);
    var options = RunOptions.thread("t").checkpoints(outer);
    var question = asked(graph.invoke(Input.none(), options)).getFirst();
    var task = outer.find("t").orElseThrow().checkpoint().tasks().getFirst();
    var memory = Lineage.ofMemory("t", task + "@");
    assertThat(own.latest(memory)).isPresent();
    assertThat(outer.latest(memory)).isEmpty();
    assertThat(own.latest(Lineage.of("t"))).isEmpty();
    var answers = new Answers(List.of(SURE.answer(question, Approval.yes())));
    assertThat(completed(graph.resume(answers, options)).get(LOG))
        .containsExactly("round0,p1,true");
    assertThat(prepared).hasValue(1);
  }

  private Graph limited(Node second, NodePolicy policy) {
    return Graph.named("limited")
        .channels(ROUND, LOG)
        .node("help", adapted(helper(second)), policy)
        .edge(START, "help")
        .edge("help", END)
        .compile();
  }

  @Test
  @Tag("T68")
  void a_retry_continues_with_the_tasks_that_finished_inside() throws Exception {
    var broken = new AtomicInteger(2);
    var graph =
        limited(
            (_, _) -> {
              if (broken.getAndDecrement() > 0) throw new IllegalStateException("boom");
              return NodeResult.nothing();
            },
            NodePolicy.defaults().retry(Retry.of(3)));
    var options = kept().sleeper(_ -> {});
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
        .containsExactly("round0,p1");
    assertThat(prepared).hasValue(1);
  }

  @Test
  void a_timeout_applies_to_the_whole_subgraph_and_finished_work_is_not_repeated()
      throws Exception {
    var hang = new AtomicBoolean(true);
    var graph =
        limited(
            (_, _) -> {
              if (hang.getAndSet(false)) new CountDownLatch(1).await();
              return NodeResult.nothing();
            },
            NodePolicy.defaults().timeout(Duration.ofMillis(300)).retry(Retry.of(2)));
    var options = kept().sleeper(_ -> {});
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
        .containsExactly("round0,p1");
    assertThat(prepared).hasValue(1);
  }

  @Test
  void an_abandoned_subgraph_has_no_further_effect() throws Exception {
    var release = new CountDownLatch(1);
    var first = new AtomicBoolean(true);
    Node deaf =
        (_, _) -> {
          if (first.getAndSet(false)) return deafUntil(release);
          release.countDown();
          return Update.of(MEMORY, "second try");
        };
    var graph =
        limited(deaf, NodePolicy.defaults().timeout(Duration.ofMillis(300)).retry(Retry.of(2)));
    var options = kept().sleeper(_ -> {});
    assertThat(completed(graph.invoke(Input.none(), options)).get(LOG))
        .containsExactly("round0,p1,second try");
  }

  private static NodeResult deafUntil(CountDownLatch release) {
    while (true) {
      try {
        release.await();
        return Update.of(MEMORY, "first try");
      } catch (InterruptedException _) {
        // It does not want to hear.
      }
    }
  }

  @Test
  void tasks_of_unsaved_subgraphs_have_unique_ids() throws Exception {
    var ids = java.util.concurrent.ConcurrentHashMap.<String>newKeySet();
    var target = Target.of("each", Integer.class);
    var inside =
        Graph.named("inside")
            .node(
                "work",
                (_, context) -> {
                  ids.add(context.task());
                  return NodeResult.nothing();
                })
            .edge(START, "work")
            .edge("work", END)
            .compile();
    Graph.named("each of them")
        .node("start", (_, _) -> NodeResult.nothing())
        .node(target, Subgraph.of(inside, _ -> Input.none(), _ -> NodeResult.nothing()))
        .edge(START, "start")
        .fanOut("start", _ -> List.of(Send.to(target, 1), Send.to(target, 1)), target)
        .edge("each", END)
        .compile()
        .invoke(Input.none());
    assertThat(ids).hasSize(2);
  }
}
