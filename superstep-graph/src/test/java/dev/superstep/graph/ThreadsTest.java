package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Redaction;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What can be done with kept threads between runs.
@Tag("T94")
final class ThreadsTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final Threads threads = Threads.in(store);
  private final AtomicInteger paid = new AtomicInteger();

  private Graph desk() {
    return Graph.named("desk")
        .channels(SAID)
        .questions(WHAT)
        .node("pay", (_, _) -> Update.of(SAID, "paid " + paid.incrementAndGet()))
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "colour?")))
        .edge(START, "pay")
        .edge("pay", "ask")
        .edge("ask", END)
        .compile();
  }

  private RunOptions on(String thread) {
    return RunOptions.thread(thread).checkpoints(store);
  }

  private List<Integer> steps(String thread) {
    return threads.history(thread, Optional.empty(), 10).stream().map(Checkpoint::step).toList();
  }

  @Test
  void a_fork_continues_independently_and_does_not_change_its_source() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), on("a"))).getFirst();
    var paidAt = threads.find("a").orElseThrow().checkpoint().id();
    completed(graph.resume(Answers.of(question.id(), "red"), on("a")));
    var made = threads.fork("a", paidAt, "b");
    assertThat(made.source()).isEqualTo(Checkpoint.Source.FORK);
    var fork = graph.state(on("b")).orElseThrow();
    assertThat(fork.state().get(SAID)).containsExactly("paid 1");
    assertThat(fork.next()).containsExactly("ask");
    var again = asked(graph.resume(Answers.none(), on("b"))).getFirst();
    assertThat(again.id()).isNotEqualTo(question.id());
    var end = completed(graph.resume(Answers.of(again.id(), "blue"), on("b")));
    assertThat(end.get(SAID)).containsExactly("paid 1", "blue");
    assertThat(graph.state(on("a")).orElseThrow().state().get(SAID))
        .containsExactly("paid 1", "red");
    assertThat(paid).hasValue(1);
  }

  @Test
  void a_rewound_thread_continues_from_there_and_keeps_its_history() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), on("a")));
    var first = threads.history("a", Optional.empty(), 10).getLast();
    threads.rewind("a", first.id());
    assertThat(graph.state(on("a")).orElseThrow().next()).containsExactly("pay");
    assertThat(asked(graph.resume(Answers.none(), on("a")))).hasSize(1);
    assertThat(graph.state(on("a")).orElseThrow().state().get(SAID)).containsExactly("paid 2");
    assertThat(steps("a")).containsExactly(1, 0, 1, 0);
  }

  @Test
  void a_copy_has_the_same_questions_and_finished_tasks() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), on("a"))).getFirst();
    threads.copy("a", "b");
    for (var thread : List.of("a", "b")) {
      var end = completed(graph.resume(Answers.of(question.id(), thread), on(thread)));
      assertThat(end.get(SAID)).containsExactly("paid 1", thread);
    }
    assertThat(paid).hasValue(1);
  }

  @Test
  void a_name_in_use_and_an_unknown_thread_are_refused() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), on("a")));
    asked(graph.invoke(Input.none(), on("b")));
    var id = threads.find("a").orElseThrow().checkpoint().id();
    assertThat(thrown(ThreadError.class, () -> threads.fork("a", id, "b")).reason())
        .isEqualTo(ThreadError.Reason.TAKEN);
    assertThat(thrown(ThreadError.class, () -> threads.copy("a", "b")).reason())
        .isEqualTo(ThreadError.Reason.TAKEN);
    assertThat(thrown(ThreadError.class, () -> threads.copy("x", "y")).reason())
        .isEqualTo(ThreadError.Reason.UNKNOWN);
    assertThat(thrown(ThreadError.class, () -> threads.rewind("a", "none")).reason())
        .isEqualTo(ThreadError.Reason.UNKNOWN);
    assertThat(threads.find("y")).isEmpty();
  }

  @Test
  void threads_are_listed_newest_first_by_graph_and_page() throws Exception {
    var graph = desk();
    for (var name : List.of("a", "b", "c")) asked(graph.invoke(Input.none(), on(name)));
    var newest = threads.list(ThreadQuery.newest(2));
    assertThat(newest).extracting(ThreadSummary::thread).containsExactly("c", "b");
    assertThat(threads.list(ThreadQuery.newest(5).after("b")))
        .extracting(ThreadSummary::thread)
        .containsExactly("a");
    assertThat(threads.list(ThreadQuery.newest(5).of("other"))).isEmpty();
  }

  @Test
  void deleting_a_run_restores_the_state_before_it() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), on("a"))).getFirst();
    var before = threads.find("a").orElseThrow().checkpoint();
    completed(graph.resume(Answers.of(question.id(), "red"), on("a")));
    var run = threads.find("a").orElseThrow().checkpoint().run();
    assertThat(threads.deleteRun(run)).isEqualTo(1);
    assertThat(threads.find("a").orElseThrow().checkpoint()).isEqualTo(before);
    assertThat(threads.deleteRun("unknown")).isZero();
  }

  @Test
  void a_thread_is_deleted_whole_and_its_name_can_be_used_again() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), on("a").journal(Redaction.none())));
    assertThat(threads.delete("a")).isTrue();
    assertThat(threads.delete("a")).isFalse();
    assertThat(graph.state(on("a"))).isEmpty();
    assertThat(store.entries("a", 0, 10, EntryFilter.all())).isEmpty();
    asked(graph.invoke(Input.none(), on("a")));
    assertThat(steps("a")).containsExactly(1, 0);
  }

  @Test
  void old_checkpoints_are_pruned_and_the_thread_continues() throws Exception {
    var graph = desk();
    var question = asked(graph.invoke(Input.none(), on("a"))).getFirst();
    assertThat(threads.prune("a", Prune.keepLast(1))).isEqualTo(1);
    assertThat(steps("a")).containsExactly(1);
    var end = completed(graph.resume(Answers.of(question.id(), "red"), on("a")));
    assertThat(end.get(SAID)).containsExactly("paid 1", "red");
  }

  @Test
  void a_busy_thread_cannot_be_changed() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), on("a")));
    store.acquire("a", "somebody", Duration.ofSeconds(20));
    thrown(ThreadBusy.class, () -> threads.delete("a"));
    thrown(ThreadBusy.class, () -> threads.prune("a", Prune.keepLast(1)));
    assertThat(threads.find("a").orElseThrow().holder().orElseThrow().owner())
        .isEqualTo("somebody");
    assertThat(threads.cancel("a")).isTrue();
  }

  @Test
  void a_fork_is_recorded_in_its_own_journal() throws Exception {
    var graph = desk();
    asked(graph.invoke(Input.none(), on("a").journal(Redaction.none())));
    var id = threads.find("a").orElseThrow().checkpoint().id();
    threads.fork("a", id, "b");
    assertThat(store.entries("b", 0, 10, EntryFilter.all()))
        .extracting(Entry::kind)
        .containsExactly("thread.forked");
  }

  @Test
  void a_thread_that_could_not_be_deleted_is_not_left_busy() throws Exception {
    var fails = new AtomicInteger(1);
    var troubled =
        new ForwardingCheckpointer(store) {
          @Override
          public void delete(Lease lease) {
            if (fails.getAndDecrement() > 0) {
              throw new StoreFailed("here", "it is locked", new IllegalStateException("locked"));
            }
            super.delete(lease);
          }
        };
    asked(desk().invoke(Input.none(), on("a")));
    thrown(StoreFailed.class, () -> Threads.in(troubled).delete("a"));
    assertThat(Threads.in(troubled).delete("a")).isTrue();
    assertThat(threads.find("a")).isEmpty();
  }
}
