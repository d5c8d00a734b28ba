package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G21")
class CancellationTest {
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);

  /// Four tasks of which those with an odd number wait at the gate.
  static final class Fork {
    final CountDownLatch waiting = new CountDownLatch(2);
    final CountDownLatch finished = new CountDownLatch(2);
    final CountDownLatch gate = new CountDownLatch(1);
    final AtomicInteger interrupted = new AtomicInteger();
    final AtomicInteger runs = new AtomicInteger();

    Graph graph() {
      return Graph.named("fork")
          .channels(DONE)
          .node(WORK, (n, _, _) -> work(n))
          .fanOut(
              START,
              _ -> List.of(Send.to(WORK, 0), Send.to(WORK, 1), Send.to(WORK, 2), Send.to(WORK, 3)),
              WORK)
          .edge("work", END)
          .compile();
    }

    private NodeResult work(int n) throws InterruptedException {
      runs.incrementAndGet();
      if (n % 2 == 1) {
        waiting.countDown();
        try {
          gate.await();
        } catch (InterruptedException e) {
          interrupted.incrementAndGet();
          throw e;
        }
      }
      return Update.of(DONE, "r" + n);
    }
  }

  @Test
  void interrupting_the_caller_interrupts_all_tasks_and_keeps_finished_ones() throws Exception {
    var fork = new Fork();
    var events = new ArrayList<Event>();
    var kept = kept();
    var options =
        kept.listener(event -> {
          events.add(event);
          if (event instanceof Event.NodeFinished) fork.finished.countDown();
        });
    var thrown = new AtomicReference<Throwable>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                fork.graph().invoke(Input.none(), options);
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    fork.waiting.await();
    fork.finished.await();
    caller.interrupt();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(fork.interrupted).hasValue(2);
    assertThat(events.getLast()).isInstanceOf(Event.RunStopped.class);
    fork.gate.countDown();
    assertThat(completed(fork.graph().resume(Answers.none(), kept)).get(DONE))
        .containsExactly("r0", "r1", "r2", "r3");
    assertThat(fork.runs).hasValue(6);
  }

  @Test
  void cancelling_a_stream_ends_it_as_stopped_and_it_can_be_resumed() throws Exception {
    var fork = new Fork();
    var options = kept();
    Outcome outcome;
    var kinds = new ArrayList<Event>();
    try (var run = fork.graph().stream(Input.none(), options)) {
      int finished = 0;
      for (var event : run) {
        kinds.add(event);
        if (event instanceof Event.NodeFinished && ++finished == 2) {
          fork.waiting.await();
          run.cancel();
        }
      }
      outcome = run.outcome();
    }
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.CANCELLED);
    assertThat(((Outcome.Stopped) outcome).state().get(DONE)).isEmpty();
    assertThat(kinds.getLast()).isInstanceOf(Event.RunStopped.class);
    fork.gate.countDown();
    assertThat(completed(fork.graph().resume(Answers.none(), options)).get(DONE)).hasSize(4);
    assertThat(fork.runs).hasValue(6);
  }

  @Test
  void cancelling_a_run_with_one_task_stops_it_too() throws Exception {
    var in = new CountDownLatch(1);
    var graph =
        Graph.named("alone")
            .channels(DONE)
            .node("first", (_, _) -> Update.of(DONE, "first"))
            .node(
                "waits",
                (_, _) -> {
                  in.countDown();
                  new CountDownLatch(1).await();
                  return NodeResult.nothing();
                })
            .edge(START, "first")
            .edge("first", "waits")
            .edge("waits", END)
            .compile();
    try (var run = graph.stream(Input.none(), kept())) {
      in.await();
      run.cancel();
      var stopped = (Outcome.Stopped) run.outcome();
      assertThat(stopped.state().get(DONE)).containsExactly("first");
    }
  }

  @Test
  void nodes_that_never_block_are_stopped_between_two_supersteps() throws Exception {
    var turns = new AtomicInteger();
    var stream = new AtomicReference<RunStream>();
    var started = new CountDownLatch(1);
    var graph =
        Graph.named("busy")
            .channels(DONE)
            .node(
                "spin",
                (_, _) -> {
                  if (turns.get() == 0) started.await();
                  if (turns.incrementAndGet() == 3) stream.get().cancel();
                  return NodeResult.nothing();
                })
            .edge(START, "spin")
            .route("spin", _ -> turns.get() < 40 ? "spin" : END, "spin", END)
            .compile();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      stream.set(run);
      started.countDown();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(turns).hasValue(3);
  }

  @Test
  void cancelling_a_run_that_has_ended_changes_nothing() throws Exception {
    var graph =
        Graph.named("quick")
            .channels(DONE)
            .node("a", (_, _) -> Update.of(DONE, "a"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      completed(run.outcome());
      run.cancel();
      completed(run.outcome());
    }
  }

  @Test
  void a_task_that_leaves_its_thread_interrupted_does_not_disturb_the_next() throws Exception {
    var graph =
        Graph.named("leak")
            .channels(DONE)
            .node(
                WORK,
                (n, _, _) -> {
                  Thread.sleep(0);
                  if (n == 0) Thread.currentThread().interrupt();
                  return Update.of(DONE, "r" + n);
                })
            .fanOut(START, _ -> List.of(Send.to(WORK, 0), Send.to(WORK, 1)), WORK)
            .edge("work", END)
            .compile();
    var outcome = graph.invoke(Input.none(), RunOptions.defaults().concurrency(1));
    assertThat(completed(outcome).get(DONE)).containsExactly("r0", "r1");
  }

  @Test
  void a_cancelled_run_without_a_checkpointer_returns_the_state_it_reached() throws Exception {
    var fork = new Fork();
    var graph =
        Graph.named("two")
            .channels(DONE)
            .node("a", (_, _) -> Update.of(DONE, "a"))
            .node("b", (_, _) -> fork.work(1))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    fork.waiting.countDown();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      fork.waiting.await();
      run.cancel();
      var stopped = (Outcome.Stopped) run.outcome();
      assertThat(stopped.state().get(DONE)).containsExactly("a");
    }
  }

  @Test
  void a_node_of_a_stream_that_throws_as_if_interrupted_has_failed() throws Exception {
    var graph =
        Graph.named("one")
            .node(
                "a",
                (_, _) -> {
                  throw new InterruptedException("of its own");
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      assertThat(Runs.thrown(NodeFailed.class, run::outcome))
          .hasCauseInstanceOf(InterruptedException.class);
    }
  }
}
