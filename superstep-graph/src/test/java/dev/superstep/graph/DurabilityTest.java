package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Redaction;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// When what a run has done is safe.
@Tag("T92")
final class DurabilityTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private static RunOptions on(dev.superstep.checkpoint.Checkpointer store, Durability when) {
    return RunOptions.thread("t").checkpoints(store).durability(when);
  }

  /// Counts to five in a loop, remembers in a graph inside, asks, and ends.
  private static Graph looping() {
    var inner =
        Graph.named("inner")
            .channels(SUM)
            .node("add", (_, _) -> Update.of(SUM, 1L))
            .edge(START, "add")
            .edge("add", END)
            .compile();
    var memory =
        Subgraph.of(
                inner,
                (dev.superstep.state.State _) -> Input.none(),
                state -> Update.of(SAID, "sum " + state.get(SUM)))
            .remembering();
    return Graph.named("looping")
        .channels(SAID)
        .questions(WHAT)
        .node("count", memory)
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "colour?")))
        .edge(START, "count")
        .route("count", s -> s.get(SAID).size() < 5 ? "count" : "ask", "count", "ask")
        .edge("ask", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T79")
  void the_final_state_is_the_same_with_every_durability(Durability when) throws Exception {
    var graph = looping();
    var question = asked(graph.invoke(Input.none(), on(store, when))).getFirst();
    var kept = graph.state(on(store, when)).orElseThrow();
    assertThat(kept.questions()).containsExactly(question);
    assertThat(kept.state().get(SAID)).containsExactly("sum 1", "sum 2", "sum 3", "sum 4", "sum 5");
    var end = completed(graph.resume(Answers.of(question.id(), "red"), on(store, when)));
    assertThat(end.get(SAID)).hasSize(6).endsWith("red");
    assertThat(graph.state(on(store, when)).orElseThrow().state().get(SAID))
        .isEqualTo(end.get(SAID));
    int steps = graph.history(Optional.empty(), 100, on(store, when)).size();
    assertThat(steps).isEqualTo(when == Durability.EXIT ? 2 : 7);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void the_journal_is_the_same_with_every_durability(Durability when) throws Exception {
    asked(looping().invoke(Input.none(), on(store, when).journal(Redaction.none())));
    assertThat(store.entries("t", 0, 1_000, EntryFilter.all().kinds("step.finished"))).hasSize(10);
    assertThat(store.entries("t", 0, 1_000, EntryFilter.all()))
        .last()
        .extracting(dev.superstep.checkpoint.Entry::kind)
        .isEqualTo("run.interrupted");
  }

  @Test
  void asynchronous_writes_keep_their_order_and_do_not_block_the_run() throws Exception {
    var steps = Collections.synchronizedList(new ArrayList<Integer>());
    var goOn = new CountDownLatch(1);
    var slow =
        new ForwardingCheckpointer(store) {
          @Override
          public boolean commit(Lease lease, Commit commit) {
            try {
              if (commit.checkpoint().step() > 0) goOn.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            if (commit.lineage().namespace().isEmpty()) steps.add(commit.checkpoint().step());
            return super.commit(lease, commit);
          }
        };
    var line = Graph.named("line").channels(SAID);
    line.node("n0", (_, _) -> Update.of(SAID, "n0")).edge(START, "n0");
    for (int i = 1; i < 10; i++) {
      var name = "n" + i;
      boolean last = i == 9;
      line.node(
              name,
              (_, _) -> {
                // Nothing but the input was saved before this node runs.
                if (last) goOn.countDown();
                return Update.of(SAID, name);
              })
          .edge("n" + (i - 1), name);
    }
    var graph = line.edge("n9", END).compile();
    completed(graph.invoke(Input.none(), on(slow, Durability.ASYNC)));
    assertThat(steps).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void an_asynchronous_write_that_fails_fails_the_run_and_none_after_it_is_made() throws Exception {
    var dying = FailingCheckpointer.afterOuterCommits(store, 2);
    var graph = looping();
    thrown(StoreFailed.class, () -> graph.invoke(Input.none(), on(dying, Durability.ASYNC)));
    var kept = graph.history(Optional.empty(), 100, on(store, Durability.SYNC));
    assertThat(kept).hasSize(2);
    dying.mend();
    asked(graph.resume(Answers.none(), on(store, Durability.SYNC)));
    assertThat(graph.state(on(store, Durability.SYNC)).orElseThrow().state().get(SAID)).hasSize(5);
  }

  @Test
  void a_failed_run_that_saves_on_exit_can_resume_where_it_failed() throws Exception {
    var failing = new java.util.concurrent.atomic.AtomicBoolean(true);
    var runs = new AtomicInteger();
    var graph =
        Graph.named("g")
            .channels(SAID)
            .node("a", (_, _) -> Update.of(SAID, "a" + runs.incrementAndGet()))
            .node(
                "b",
                (_, _) -> {
                  if (failing.get()) throw new IllegalStateException("no");
                  return Update.of(SAID, "b");
                })
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    var options = on(store, Durability.EXIT);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(graph.state(options).orElseThrow().next()).containsExactly("b");
    failing.set(false);
    assertThat(completed(graph.resume(Answers.none(), options)).get(SAID))
        .containsExactly("a1", "b");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void an_error_of_the_store_ends_an_asynchronous_run_and_does_not_hang_it() {
    var broken =
        new ForwardingCheckpointer(store) {
          @Override
          public boolean commit(Lease lease, Commit commit) {
            if (commit.checkpoint().step() == 1) throw new NoClassDefFoundError("driver");
            return super.commit(lease, commit);
          }
        };
    var graph = looping();
    thrown(
        NoClassDefFoundError.class, () -> graph.invoke(Input.none(), on(broken, Durability.ASYNC)));
  }

  @Test
  void a_failed_save_on_exit_is_retried_once() throws Exception {
    // The graph inside comes first.
    for (int works = 0; works < 2; works++) {
      var left = new AtomicInteger(works);
      var memory = new InMemoryCheckpointer();
      var troubled =
          new ForwardingCheckpointer(memory) {
            @Override
            public boolean commit(Lease lease, Commit commit) {
              if (left.getAndDecrement() == 0) {
                throw new StoreFailed("here", "it is locked", new IllegalStateException("locked"));
              }
              return super.commit(lease, commit);
            }
          };
      var graph = looping();
      var options = on(troubled, Durability.EXIT).journal(Redaction.none());
      thrown(StoreFailed.class, () -> graph.invoke(Input.none(), options));
      assertThat(graph.state(options).orElseThrow().state().get(SAID)).hasSize(5);
      var steps = EntryFilter.all().kinds("step.finished");
      assertThat(memory.entries("t", 0, 1_000, steps)).hasSize(10);
      var question = asked(graph.resume(Answers.none(), options)).getFirst();
      var end = completed(graph.resume(Answers.of(question.id(), "red"), options));
      assertThat(end.get(SAID)).hasSize(6).contains("sum 5").endsWith("red");
    }
  }
}
