package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Prune;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.graph.Threads;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The conformance tests of graphs: what each program may rely on, with every durability, on the
/// store of the test.
@Tag("T129")
@Timeout(120)
public interface GraphsSuite extends StoreUnderTest {
  /// The work that nodes have done.
  Channel<List<String>, String> PATH = Channel.append("path", String.class);

  /// A channel whose changes are stored.
  Channel<List<Integer>, Integer> COUNTED =
      Channel.delta(
          "counted",
          dev.superstep.json.Codec.listOf(Integer.class),
          dev.superstep.json.Codec.of(Integer.class),
          List.of(),
          GraphsSuite::appended);

  /// A question of a node.
  Question<String, String> ASK = Question.of("ask", String.class, String.class);

  /// A node that is sent numbers.
  Target<Integer> ITEM = Target.of("item", Integer.class);

  private static List<Integer> appended(List<Integer> all, Integer one) {
    var more = new ArrayList<>(all);
    more.add(one);
    return List.copyOf(more);
  }

  private static Node say(String text) {
    return (_, _) -> Update.of(PATH, text);
  }

  private static GraphBuilder named(String name) {
    return Graph.named(name).channels(PATH).questions(ASK);
  }

  private static String thread(Durability when) {
    return "t-" + when;
  }

  private static RunOptions on(CompleteCheckpointer store, Durability when) {
    return RunOptions.thread(thread(when)).checkpoints(store).durability(when);
  }

  private static List<String> path(Outcome outcome) {
    return ((Outcome.Completed) outcome).state().get(PATH);
  }

  private static List<Interrupt> asked(Outcome outcome) {
    return ((Outcome.Interrupted) outcome).questions();
  }

  @Test
  default void a_line_and_a_choice_run_in_order(CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph =
          named("line")
              .node("a", say("a"))
              .node("b", say("b"))
              .node("left", say("left"))
              .node("right", say("right"))
              .edge(START, "a")
              .edge("a", "b")
              .route("b", s -> s.get(PATH).size() == 2 ? "right" : "left", "left", "right")
              .edge("left", END)
              .edge("right", END)
              .compile();
      assertThat(path(graph.invoke(Input.none(), on(store, when))))
          .containsExactly("a", "b", "right");
      var saved = graph.state(on(store, when)).orElseThrow();
      assertThat(saved.state().get(PATH)).containsExactly("a", "b", "right");
      assertThat(saved.next()).isEmpty();
    }
  }

  @Test
  default void branches_and_sends_merge_in_task_order(CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph =
          named("merge")
              .node("one", say("one"))
              .node("two", say("two"))
              .node(ITEM, (number, _, _) -> Update.of(PATH, "item " + number))
              .node("joined", say("joined"))
              .edge(START, "one")
              .edge(START, "two")
              .join(List.of("one", "two"), "joined")
              .fanOut(
                  "joined",
                  _ -> List.of(Send.to(ITEM, 2), Send.to(ITEM, 1), Send.to(ITEM, 2)),
                  ITEM)
              .edge("item", END)
              .compile();
      assertThat(path(graph.invoke(Input.none(), on(store, when))))
          .containsExactly("one", "two", "joined", "item 2", "item 1", "item 2");
    }
  }

  @Test
  default void a_cycle_ends_by_its_guard_or_at_the_limit(CompleteCheckpointer store)
      throws Exception {
    for (var when : Durability.values()) {
      var graph =
          named("cycle")
              .node("again", say("again"))
              .edge(START, "again")
              .route("again", s -> s.get(PATH).size() < 7 ? "again" : END, "again", END)
              .compile();
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store, when).stepLimit(3)))
          .isInstanceOf(StepLimitReached.class);
      var end = graph.resume(Answers.none(), on(store, when).stepLimit(50));
      assertThat(path(end)).hasSize(7);
    }
  }

  @Test
  default void a_cancelled_run_and_a_failed_one_go_on_where_they_were(CompleteCheckpointer store)
      throws Exception {
    for (var when : Durability.values()) {
      var broken = new AtomicInteger(1);
      var begun = new CountDownLatch(1);
      var stuck = new AtomicInteger(1);
      var finished = new AtomicInteger();
      var graph =
          named("broken")
              .node(
                  "first",
                  (_, _) -> {
                    finished.incrementAndGet();
                    return Update.of(PATH, "first");
                  })
              .node(
                  "second",
                  (_, _) -> {
                    if (broken.getAndDecrement() > 0) throw new IllegalStateException("broken");
                    if (stuck.getAndDecrement() > 0) {
                      begun.countDown();
                      new CountDownLatch(1).await();
                    }
                    return Update.of(PATH, "second");
                  })
              .edge(START, "first")
              .edge("first", "second")
              .edge("second", END)
              .compile();
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store, when)))
          .isInstanceOf(NodeFailed.class)
          .hasMessageContaining("second");
      try (var run = graph.streamResume(Answers.none(), on(store, when))) {
        begun.await();
        run.cancel();
        assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
      }
      assertThat(path(graph.resume(Answers.none(), on(store, when))))
          .containsExactly("first", "second");
      assertThat(finished).as("a run that was saved at its end has its first node").hasValue(1);
    }
  }

  @Test
  default void a_question_waits_is_answered_once_and_refuses_what_does_not_fit(
      CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph =
          named("asking")
              .node("ask", (_, context) -> Update.of(PATH, context.interrupt(ASK, "colour?")))
              .node("beside", say("beside"))
              .edge(START, "ask")
              .edge(START, "beside")
              .edge("ask", END)
              .edge("beside", END)
              .compile();
      var open = asked(graph.invoke(Input.none(), on(store, when))).getFirst();
      assertThat(ASK.read(open)).isEqualTo("colour?");
      assertThatThrownBy(() -> graph.resume(Answers.of("nobody", "red"), on(store, when)))
          .isInstanceOf(AnswerRejected.class);
      assertThat(graph.state(on(store, when)).orElseThrow().questions()).containsExactly(open);
      assertThat(path(graph.resume(Answers.of(open.id(), "red"), on(store, when))))
          .containsExactly("red", "beside");
      assertThatThrownBy(() -> graph.resume(Answers.of(open.id(), "blue"), on(store, when)))
          .isInstanceOf(AnswerRejected.class);
    }
  }

  /// Counts to twelve, three times with a graph inside that remembers.
  private static Graph counting() {
    var inner =
        named("inner")
            .channels(COUNTED)
            .node("count", (s, _) -> Update.of(COUNTED, s.get(COUNTED).size()))
            .edge(START, "count")
            .edge("count", END)
            .compile();
    var remembering =
        Subgraph.of(
                inner,
                (State _) -> Input.none(),
                end -> Update.of(PATH, "inner " + end.get(COUNTED)))
            .remembering();
    return named("counting")
        .channels(COUNTED)
        .node("own", (s, _) -> Update.of(COUNTED, s.get(COUNTED).size()))
        .node("inner", remembering)
        .edge(START, "own")
        .edge("own", "inner")
        .route("inner", s -> s.get(COUNTED).size() % 4 == 0 ? END : "own", "own", END)
        .compile();
  }

  @Test
  default void each_checkpoint_reads_as_it_was_written_newest_first(CompleteCheckpointer store)
      throws Exception {
    for (var when : Durability.values()) {
      var graph = counting();
      for (int i = 0; i < 3; i++) graph.invoke(Input.none(), on(store, when));
      var all = graph.history(Optional.empty(), 100, on(store, when));
      assertThat(all).extracting(Checkpoint::id).doesNotHaveDuplicates().hasSizeGreaterThan(2);
      var paged = new ArrayList<Checkpoint>();
      Optional<String> before = Optional.empty();
      while (true) {
        var page = graph.history(before, 2, on(store, when));
        if (page.isEmpty()) break;
        paged.addAll(page);
        before = Optional.of(page.getLast().id());
      }
      assertThat(paged).isEqualTo(all);
      int longest = Integer.MAX_VALUE;
      for (var checkpoint : all) {
        var counted =
            graph.state(checkpoint.id(), on(store, when)).orElseThrow().state().get(COUNTED);
        assertThat(counted.size()).isLessThanOrEqualTo(longest);
        for (int i = 0; i < counted.size(); i++) assertThat(counted.get(i)).isEqualTo(i);
        longest = counted.size();
      }
    }
  }

  @Test
  @Tag("T94")
  default void what_a_prune_keeps_still_loads_with_deltas_and_memories(CompleteCheckpointer store)
      throws Exception {
    for (var when : Durability.values()) {
      var graph = counting();
      for (int i = 0; i < 3; i++) graph.invoke(Input.none(), on(store, when));
      var threads = Threads.in(store);
      threads.fork(
          thread(when), store.find(thread(when)).orElseThrow().checkpoint().id(), "forked-" + when);
      var whole = graph.state(on(store, when)).orElseThrow().state();
      var before = Map.of(COUNTED, whole.get(COUNTED), PATH, whole.get(PATH));
      assertThat(threads.prune(thread(when), Prune.keepLast(1))).isPositive();
      var kept = graph.history(Optional.empty(), 100, on(store, when));
      assertThat(kept).hasSize(1);
      for (var thread : List.of(thread(when), "forked-" + when)) {
        var options = on(store, when).on(thread, store);
        var now = graph.state(options).orElseThrow().state();
        assertThat(Map.of(COUNTED, now.get(COUNTED), PATH, now.get(PATH))).isEqualTo(before);
        var more = ((Outcome.Completed) graph.invoke(Input.none(), options)).state();
        assertThat(more.get(COUNTED)).hasSize(16);
        assertThat(more.get(PATH).getLast())
            .as("the memory of the graph inside goes on, too")
            .isEqualTo("inner " + more.get(COUNTED));
      }
    }
  }

  /// Writes `a`, then asks.
  private static Graph asking() {
    return named("asking")
        .node("a", say("a"))
        .node("b", (_, context) -> Update.of(PATH, context.interrupt(ASK, "sure?")))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  @Test
  default void new_input_may_discard_what_was_pending(CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph = asking();
      var first = asked(graph.invoke(Input.none(), on(store, when))).getFirst().id();
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store, when)))
          .isInstanceOf(ThreadError.class);
      var fresh = on(store, when).discardPending();
      var again = asked(graph.invoke(Input.of(PATH, "new"), fresh)).getFirst().id();
      assertThat(again).isNotEqualTo(first);
      assertThatThrownBy(() -> graph.resume(Answers.of(first, "old"), on(store, when)))
          .isInstanceOf(AnswerRejected.class);
      assertThat(path(graph.resume(Answers.of(again, "yes"), on(store, when))))
          .containsExactly("a", "new", "a", "yes");
    }
  }

  @Test
  default void a_thread_may_begin_with_an_update(CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph = asking();
      var begun = graph.update(on(store, when), StateUpdate.as("a", Update.of(PATH, "given")));
      assertThat(begun.next()).containsExactly("b");
      var question = asked(graph.resume(Answers.none(), on(store, when))).getFirst();
      assertThat(path(graph.resume(Answers.of(question.id(), "yes"), on(store, when))))
          .containsExactly("given", "yes");
    }
  }

  @Test
  default void a_restarted_thread_is_empty_and_keeps_its_history(CompleteCheckpointer store)
      throws Exception {
    for (var when : Durability.values()) {
      var graph = asking();
      var question = asked(graph.invoke(Input.of(PATH, "old"), on(store, when))).getFirst();
      graph.resume(Answers.of(question.id(), "yes"), on(store, when));
      int before = graph.history(Optional.empty(), 100, on(store, when)).size();
      Threads.in(store).restart(thread(when));
      var empty = graph.state(on(store, when)).orElseThrow();
      assertThat(empty.state().get(PATH)).isEmpty();
      assertThat(empty.next()).isEmpty();
      assertThat(graph.history(Optional.empty(), 100, on(store, when))).hasSize(before + 1);
      var again = asked(graph.invoke(Input.of(PATH, "new"), on(store, when))).getFirst();
      assertThat(path(graph.resume(Answers.of(again.id(), "no"), on(store, when))))
          .containsExactly("new", "a", "no");
    }
  }

  @Test
  default void an_update_as_start_begins_anew(CompleteCheckpointer store) throws Exception {
    for (var when : Durability.values()) {
      var graph = asking();
      graph.invoke(Input.none(), on(store, when));
      var anew = graph.update(on(store, when), StateUpdate.as(START, Update.of(PATH, "x")));
      assertThat(anew.next()).containsExactly("a");
      assertThat(anew.questions()).isEmpty();
      assertThat(asked(graph.resume(Answers.none(), on(store, when)))).hasSize(1);
      var over = graph.update(on(store, when).discardPending());
      assertThat(over.next()).isEmpty();
      assertThat(over.state().get(PATH)).containsExactly("a", "x", "a");
    }
  }
}
