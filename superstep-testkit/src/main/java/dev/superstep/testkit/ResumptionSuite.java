package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The contract of resumption, in six properties that hold for each program, store and process:
///
/// 1. A run that is resumed continues the recorded prefix: no checkpoint of it changes.
/// 2. An effect whose result was saved is not performed again, and a repeated one has the same id,
///    also when several processes resume at once. [Durability#EXIT] is excluded: until the end it
///    saves nothing.
/// 3. A fork is deterministic up to its point, and leaves its source as it is.
/// 4. A checkpoint that loads is valid: it can be read, forked and run to the end.
/// 5. An answer is consumed once: of several, one is accepted, and it never counts again.
/// 6. Two recoveries of one crash come to the same end with the same effects.
///
/// A cell is a random program whose process dies at a random write, and that up to 16 others resume
/// at once. `-Dsuperstep.cells` sets how many there are for each durability.
@Timeout(600)
public interface ResumptionSuite extends StoreUnderTest {
  /// Cells for each durability.
  int CELLS = Integer.getInteger("superstep.cells", 6);

  /// Processes that answer at once.
  int ANSWERERS = 8;

  @Test
  default void what_was_saved_at_once_is_resumed_as_it_was(CompleteCheckpointer store)
      throws Exception {
    cells(store, Durability.SYNC, 1);
  }

  @Test
  default void what_was_saved_in_order_beside_the_run_is_resumed_as_it_was(
      CompleteCheckpointer store) throws Exception {
    cells(store, Durability.ASYNC, 100_000);
  }

  @Test
  default void what_was_saved_at_the_end_is_resumed_as_it_was(CompleteCheckpointer store)
      throws Exception {
    cells(store, Durability.EXIT, 200_000);
  }

  private void cells(CompleteCheckpointer store, Durability durability, long seed)
      throws InterruptedException {
    var number = new AtomicInteger();
    Property.check(
        seed,
        CELLS,
        choices -> ResumptionCell.draw(choices, durability),
        cell -> cell.check(store, this::another, "t" + number.incrementAndGet()));
  }

  @Test
  default void of_several_answers_to_one_question_one_is_consumed(CompleteCheckpointer store)
      throws Exception {
    var graph = new ResumedProgram(List.of(QUESTION)).graph(new EffectLedger());
    var options = RunOptions.thread("asked").checkpoints(store);
    var asked = (Outcome.Interrupted) graph.invoke(Input.none(), options);
    var question = asked.questions().getFirst();
    var start = new CyclicBarrier(ANSWERERS);
    var accepted = new ArrayList<Integer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answerers = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < ANSWERERS; i++) {
        var answer = Answers.none().and(ResumedProgram.ASK.answer(question, i));
        Callable<Boolean> answerer =
            () -> {
              try (var client = another().orElse(store)) {
                start.await();
                return isAccepted(() -> graph.resume(answer, options.checkpoints(client)));
              }
            };
        answerers.add(threads.submit(answerer));
      }
      for (int i = 0; i < ANSWERERS; i++) {
        if (answerers.get(i).get()) accepted.add(i);
      }
    }
    assertThat(accepted).hasSize(1);
    var state = graph.state(options).orElseThrow();
    assertThat(state.state().get(ResumedProgram.LOG)).containsExactly("s0=" + accepted.getFirst());
    var again = Answers.none().and(ResumedProgram.ASK.answer(question, 7));
    assertThatThrownBy(() -> graph.resume(again, options)).isInstanceOf(AnswerRejected.class);
  }

  private static boolean isAccepted(Callable<Outcome> answer) throws Exception {
    while (true) {
      try {
        return answer.call() instanceof Outcome.Completed;
      } catch (AnswerRejected _) {
        return false;
      } catch (ThreadBusy _) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  default void an_answer_is_not_consumed_again_after_a_rewind_or_in_a_fork(
      CompleteCheckpointer store) throws Exception {
    var graph = new ResumedProgram(List.of(QUESTION)).graph(new EffectLedger());
    var options = RunOptions.thread("asked").checkpoints(store);
    var threads = dev.superstep.graph.Threads.in(store);
    var asked = (Outcome.Interrupted) graph.invoke(Input.none(), options);
    var before = graph.state(options).orElseThrow().checkpoint();
    var answer = Answers.none().and(ResumedProgram.ASK.answer(asked.questions().getFirst(), 1));
    assertThat(graph.resume(answer, options)).isInstanceOf(Outcome.Completed.class);
    threads.fork("asked", before, "fork");
    threads.rewind("asked", before);
    for (var thread : List.of("asked", "fork")) {
      var on = options.on(thread, store);
      assertThat(graph.resume(Answers.none(), on)).isInstanceOf(Outcome.Interrupted.class);
      assertThatThrownBy(() -> graph.resume(answer, on)).isInstanceOf(AnswerRejected.class);
    }
  }

  /// A program that asks one question.
  ResumedProgram.Stage QUESTION = new ResumedProgram.Stage(ResumedProgram.Kind.QUESTION, 1);
}
