package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.node.Ask;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run gives its thread back with the last that it writes, where it knows what that is.
@Timeout(60)
final class LeaseReleaseTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final InMemoryCheckpointer memory = new InMemoryCheckpointer();
  private final List<String> calls = new ArrayList<>();
  private final Checkpointer store = new Watched();

  /// Notes which calls end a run, and does more just after the last write.
  private class Watched extends ForwardingCheckpointer implements CombinedCalls {
    Watched() {
      super(memory);
    }

    @Override
    public boolean commitLast(Lease lease, Commit commit) {
      calls.add("commitLast");
      boolean done = CombinedCalls.of(store()).commitLast(lease, commit);
      afterLast();
      return done;
    }

    @Override
    public TaskRecord saveTaskLast(
        Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      calls.add("saveTaskLast");
      var existing =
          CombinedCalls.of(store()).saveTaskLast(lease, lineage, checkpoint, task, journal);
      afterLast();
      return existing;
    }

    @Override
    public void release(Lease lease) {
      calls.add("release");
      super.release(lease);
    }

    void afterLast() {
      // Only some tests do something here.
    }
  }

  private static Graph asking() {
    return Graph.named("g")
        .channels(SAID)
        .questions(WHAT)
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "what?")))
        .node("end", (_, _) -> Update.of(SAID, "end"))
        .edge(START, "ask")
        .edge("ask", "end")
        .edge("end", END)
        .compile();
  }

  private static Graph line(Node node) {
    return Graph.named("g")
        .channels(SAID)
        .questions(WHAT)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store);
  }

  private boolean isFree() {
    return memory.find("t").orElseThrow().holder().isEmpty();
  }

  @Test
  void a_question_and_the_end_release_the_lease_with_their_write() throws Exception {
    asked(asking().invoke(Input.none(), on(store)));
    assertThat(calls).containsExactly("saveTaskLast");
    assertThat(isFree()).isTrue();
    calls.clear();
    completed(asking().resume(Answers.to(WHAT, "this"), on(store)));
    assertThat(calls).containsExactly("commitLast");
    assertThat(isFree()).isTrue();
  }

  @Test
  void a_returned_question_releases_the_lease_with_its_checkpoint() throws Exception {
    var graph =
        line((_, context) ->
            context.resumePoint().isEmpty()
                ? Ask.of(WHAT, "?")
                : Update.of(SAID, context.answer(WHAT)));
    asked(graph.invoke(Input.none(), on(store)));
    assertThat(calls).containsExactly("commitLast");
    assertThat(isFree()).isTrue();
    completed(graph.resume(Answers.to(WHAT, "this"), on(store)));
    assertThat(calls).containsExactly("commitLast", "commitLast");
  }

  /// What a run may still write when its graph is done.
  private void keepsItsThread(UnaryOperator<RunOptions> options) throws Exception {
    calls.clear();
    var graph =
        Graph.named("g")
            .channels(SAID)
            .node("a", (_, _) -> Update.of(SAID, "a"))
            .reads("a")
            .writes("a", SAID)
            .edge(START, "a")
            .edge("a", END)
            .compile();
    completed(graph.invoke(Input.none(), options.apply(on(store))));
    assertThat(calls).containsExactly("release");
    assertThat(isFree()).isTrue();
  }

  @Test
  void a_run_that_may_write_more_keeps_its_lease_to_the_end() throws Exception {
    keepsItsThread(RunOptions::journal);
    keepsItsThread(RunOptions::dataflow);
    keepsItsThread(options -> options.breakpoints(Breakpoints.everyStep()));
    keepsItsThread(options -> options.durability(Durability.ASYNC));
    keepsItsThread(options -> options.durability(Durability.EXIT));
  }

  @Test
  void waiting_tasks_next_to_others_do_not_release_the_lease() throws Exception {
    var graph =
        Graph.named("g")
            .channels(SAID)
            .questions(WHAT)
            .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "what?")))
            .node("other", (_, _) -> Update.of(SAID, "other"))
            .edge(START, "ask")
            .edge(START, "other")
            .edge("ask", END)
            .edge("other", END)
            .compile();
    asked(graph.invoke(Input.none(), on(store)));
    assertThat(calls).containsExactly("release");
  }

  @Test
  void a_subgraph_does_not_release_the_lease() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(SAID)
            .questions(WHAT)
            .node("sub", Subgraph.shared(asking()))
            .edge(START, "sub")
            .edge("sub", END)
            .compile();
    asked(outer.invoke(Input.none(), on(store)));
    assertThat(calls).containsExactly("saveTaskLast");
    calls.clear();
    completed(outer.resume(Answers.to(WHAT, "this"), on(store)));
    assertThat(calls).containsExactly("commitLast");
    assertThat(isFree()).isTrue();
  }

  @Test
  void another_run_can_acquire_the_thread_as_soon_as_the_last_write_is_saved() throws Exception {
    var others = new ArrayList<Lease>();
    var taking =
        new Watched() {
          @Override
          void afterLast() {
            others.add(memory.acquire("t", "another", Duration.ofHours(1)));
          }
        };
    completed(line((_, _) -> Update.of(SAID, "a")).invoke(Input.none(), on(taking)));
    assertThat(calls).containsExactly("commitLast");
    // The run has taken nothing from it.
    assertThat(memory.renew(others.getFirst(), Duration.ofHours(1))).isFalse();
    assertThat(isFree()).isFalse();
  }

  @Test
  void a_cancel_after_the_last_write_does_not_change_the_outcome() throws Exception {
    var cancelled =
        new Watched() {
          @Override
          void afterLast() {
            Thread.currentThread().interrupt();
          }
        };
    var outcome = line((_, _) -> Update.of(SAID, "a")).invoke(Input.none(), on(cancelled));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(completed(outcome).get(SAID)).containsExactly("a");
  }

  @Test
  void a_last_write_with_a_lost_lease_changes_nothing() throws Exception {
    var graph =
        line((_, _) -> {
          memory.release(new Lease("t", "it", 1));
          memory.acquire("t", "another", Duration.ofHours(1));
          return Update.of(SAID, "late");
        });
    thrown(LeaseLost.class, () -> graph.invoke(Input.none(), on(store)));
    assertThat(calls).containsExactly("commitLast", "release");
    assertThat(isFree()).isFalse();
    assertThat(memory.find("t").orElseThrow().checkpoint().step()).isZero();
  }

  @Test
  void a_pending_renewal_does_not_reacquire_the_thread() throws Exception {
    var begun = new CountDownLatch(1);
    var written = new CountDownLatch(1);
    var renewed = new CountDownLatch(1);
    var slow =
        new Watched() {
          @Override
          public boolean renew(Lease lease, Duration time) {
            begun.countDown();
            try {
              // The last write waits for this one, so this ends by the time alone.
              assertThat(written.await(200, TimeUnit.MILLISECONDS)).isFalse();
              return super.renew(lease, Duration.ofHours(1));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            } finally {
              renewed.countDown();
            }
          }

          @Override
          void afterLast() {
            written.countDown();
          }
        };
    var graph =
        line((_, _) -> {
          begun.await();
          return Update.of(SAID, "a");
        });
    completed(graph.invoke(Input.none(), on(slow).lease(Duration.ofMillis(50))));
    renewed.await();
    assertThat(calls).containsExactly("commitLast");
    assertThat(isFree()).isTrue();
  }
}
