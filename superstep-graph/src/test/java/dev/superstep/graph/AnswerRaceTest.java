package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens when two things happen at once, each forced by holding up the store.
@Timeout(60)
class AnswerRaceTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private static Graph asking(AtomicInteger finished) {
    return Graph.named("asking")
        .channels(LOG)
        .questions(WHAT)
        .node(
            "ask",
            (_, context) -> {
              var answer = context.interrupt(WHAT, "what?");
              finished.incrementAndGet();
              return Update.of(LOG, answer);
            })
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  private static Graph line() {
    var graph = Graph.named("line").channels(LOG);
    var names = List.of("a", "b", "c");
    for (var name : names) graph.node(name, (_, _) -> Update.of(LOG, name));
    return graph.edge(START, "a").edge("a", "b").edge("b", "c").edge("c", END).compile();
  }

  private static RunOptions on(dev.superstep.checkpoint.Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store);
  }

  /// Calls this around the commit of one superstep.
  private static final class CancelsAt extends ForwardingCheckpointer {
    private final int step;
    private final boolean before;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    CancelsAt(InMemoryCheckpointer store, int step, boolean before) {
      super(store);
      this.step = step;
      this.before = before;
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      boolean here = commit.checkpoint().step() == step;
      if (here && before) hold();
      boolean done = super.commit(lease, commit);
      if (here && !before) hold();
      return done;
    }

    private void hold() {
      reached.countDown();
      boolean interrupted = false;
      while (true) {
        try {
          goOn.await();
          if (interrupted) Thread.currentThread().interrupt();
          return;
        } catch (InterruptedException _) {
          // A store finishes what it has begun.
          interrupted = true;
        }
      }
    }
  }

  /// A cancel meets the write of the superstep with this number; 3 is the last.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Tag("G21")
  void a_cancel_meets_a_write_and_nothing_is_lost_or_done_twice(int step) throws Exception {
    for (boolean before : new boolean[] {true, false}) {
      var memory = new InMemoryCheckpointer();
      var store = new CancelsAt(memory, step, before);
      Outcome outcome;
      try (var stream = line().stream(Input.none(), on(store))) {
        store.reached.await();
        stream.cancel();
        store.goOn.countDown();
        outcome = stream.outcome();
      }
      var kept = line().state(on(memory)).orElseThrow();
      switch (outcome) {
        case Outcome.Completed(var state) -> {
          assertThat(kept.next()).isEmpty();
          assertThat(kept.state().get(LOG)).isEqualTo(state.get(LOG));
        }
        case Outcome.Stopped(var reason, var state) -> {
          assertThat(reason).isEqualTo(Outcome.Reason.CANCELLED);
          assertThat(kept.state().get(LOG)).isEqualTo(state.get(LOG));
        }
        case Outcome.Interrupted _ -> throw new AssertionError("nobody asked");
      }
      var end = completed(line().resume(Answers.none(), on(memory)));
      assertThat(end.get(LOG)).containsExactly("a", "b", "c");
    }
  }

  @Test
  @Tag("X7")
  void of_two_answers_to_a_question_one_is_stored_and_the_other_is_refused() throws Exception {
    for (int round = 0; round < 50; round++) {
      var finished = new AtomicInteger();
      var store = new InMemoryCheckpointer();
      var question = asked(asking(finished).invoke(Input.none(), on(store))).getFirst();
      var barrier = new CyclicBarrier(2);
      Function<String, Object> answering =
          text -> {
            try {
              barrier.await();
              var answers = Answers.none().and(WHAT.answer(question, text));
              return completed(asking(finished).resume(answers, on(store))).get(LOG);
            } catch (AnswerRejected | ThreadBusy e) {
              return e;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          };
      var ends = new ArrayList<Object>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var red = threads.submit(() -> answering.apply("red"));
        var blue = threads.submit(() -> answering.apply("blue"));
        ends.add(red.get());
        ends.add(blue.get());
      }
      assertThat(ends).filteredOn(RuntimeException.class::isInstance).hasSize(1);
      var kept = asking(finished).state(on(store)).orElseThrow();
      assertThat(kept.next()).isEmpty();
      assertThat(ends).contains(kept.state().get(LOG));
      assertThat(finished).hasValue(1);
    }
  }

  @Test
  void a_stored_answer_survives_a_concurrent_cancel() throws Exception {
    var finished = new AtomicInteger();
    var memory = new InMemoryCheckpointer();
    var question = asked(asking(finished).invoke(Input.none(), on(memory))).getFirst();
    var stored = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var store =
        new ForwardingCheckpointer(memory) {
          @Override
          public boolean answer(
              Lease lease,
              Lineage lineage,
              String checkpoint,
              List<Answer> answers,
              List<Entry> journal) {
            boolean stands = super.answer(lease, lineage, checkpoint, answers, journal);
            stored.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return stands;
          }
        };
    Outcome outcome;
    var answers = Answers.none().and(WHAT.answer(question, "red"));
    try (var stream = asking(finished).streamResume(answers, on(store))) {
      stored.await();
      stream.cancel();
      goOn.countDown();
      outcome = stream.outcome();
    }
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    var kept = asking(finished).state(on(memory)).orElseThrow();
    assertThat(kept.questions()).isEmpty();
    assertThat(kept.next()).containsExactly("ask");
    var end = completed(asking(finished).resume(Answers.none(), on(memory)));
    assertThat(end.get(LOG)).containsExactly("red");
    assertThat(finished).hasValue(1);
  }

  @Test
  void two_concurrent_resumptions_resume_the_thread_once() throws Exception {
    for (int round = 0; round < 20; round++) {
      var store = new InMemoryCheckpointer();
      try {
        line().invoke(Input.none(), on(store).stepLimit(1));
      } catch (StepLimitReached e) {
        assertThat(e.limit()).isEqualTo(1);
      }
      var barrier = new CyclicBarrier(2);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var ends = new ArrayList<java.util.concurrent.Future<String>>();
        for (int i = 0; i < 2; i++) {
          ends.add(
              threads.submit(() -> {
                barrier.await();
                try {
                  return completed(line().resume(Answers.none(), on(store))).get(LOG).toString();
                } catch (ThreadBusy e) {
                  return e.code();
                }
              }));
        }
        var told = List.of(ends.get(0).get(), ends.get(1).get());
        assertThat(told).contains("[a, b, c]");
        assertThat(told).isSubsetOf("[a, b, c]", "thread.busy");
      }
      var kept = line().state(on(store)).orElseThrow();
      assertThat(kept.state().get(LOG)).containsExactly("a", "b", "c");
    }
  }
}
