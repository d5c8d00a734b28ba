package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.schedule.Actor;
import dev.superstep.schedule.Schedules;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thread that waits for an answer, under every order of those who give one and those who go on
/// without.
@Timeout(120)
final class AnswerSchedulesTest {
  private static final Class<?>[] REFUSALS = {AnswerRejected.class, ThreadBusy.class};

  private static Outcome answer(Graph graph, RunOptions options, String text)
      throws InterruptedException {
    return graph.resume(Answers.to(Races.WHAT, text), options);
  }

  @Test
  void two_answers_to_one_question_race() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var done = new AtomicInteger();
      var graph = Races.asking(done::incrementAndGet);
      graph.invoke(Input.none(), race.unwatched());
      var red = schedule.actor("red", () -> answer(graph, race.options(), "red"));
      var blue = schedule.actor("blue", () -> answer(graph, race.options(), "blue"));
      schedule.run();
      var first = red.thrown().isEmpty() ? red : blue;
      var other = first == red ? blue : red;
      assertThat(Races.said(first.value())).isEqualTo(race.stored(graph));
      assertThat(race.stored(graph)).containsExactly(first == red ? "red" : "blue");
      assertThat(other.thrown()).get().isInstanceOfAny(REFUSALS);
      assertThat(done).hasValue(1);
      assertThat(race.isHeld()).isFalse();
    });
  }

  @Test
  void an_answer_races_a_resume_without_one() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var done = new AtomicInteger();
      var graph = Races.asking(done::incrementAndGet);
      graph.invoke(Input.none(), race.unwatched());
      var answer = schedule.actor("answer", () -> answer(graph, race.options(), "red"));
      var resume = schedule.actor("resume", () -> graph.resume(Answers.none(), race.options()));
      schedule.run();
      boolean isAnswered = answer.thrown().isEmpty();
      if (isAnswered) {
        assertThat(Races.said(answer.value())).containsExactly("red");
      } else {
        assertThat(answer.thrown()).get().isInstanceOf(ThreadBusy.class);
        assertThat(resume.value()).isInstanceOf(Outcome.Interrupted.class);
        // It still waits, and takes the answer now.
        answer(graph, race.unwatched(), "red");
      }
      assertResumed(resume, isAnswered);
      assertThat(race.stored(graph)).containsExactly("red");
      assertThat(done).hasValue(1);
      assertThat(race.isHeld()).isFalse();
    });
  }

  private static void assertResumed(Actor<Outcome> resume, boolean isAnswered) {
    if (resume.thrown().isPresent()) {
      assertThat(isAnswered).isTrue();
      assertThat(resume.thrown()).get().isInstanceOf(ThreadBusy.class);
    } else if (resume.value() instanceof Outcome.Completed done) {
      assertThat(Races.said(done)).containsExactly("red");
    } else {
      assertThat(resume.value()).isInstanceOf(Outcome.Interrupted.class);
    }
  }

  @Test
  void an_answer_races_a_cancel() {
    Schedules.explore(schedule -> {
      var race = new Races(schedule);
      var done = new AtomicInteger();
      var graph = Races.asking(done::incrementAndGet);
      graph.invoke(Input.none(), race.unwatched());
      var streams = new CompletableFuture<RunStream>();
      var answer =
          schedule.actor(
              "answer",
              () -> {
                var red = Answers.to(Races.WHAT, "red");
                var stream = graph.streamResume(red, race.options());
                streams.complete(stream);
                return stream.outcome();
              });
      schedule.actor(
          "cancel",
          () -> {
            streams.get().cancel();
            return true;
          });
      schedule.run();
      assertThat(race.isHeld()).isFalse();
      if (answer.value() instanceof Outcome.Stopped stopped) {
        Races.assertCancelled(stopped);
        assertThat(race.stored(graph)).isEqualTo(Races.said(stopped));
        // What was stored of the answer stands; else the question is open as before.
        boolean isOpen = !graph.state(race.unwatched()).orElseThrow().questions().isEmpty();
        if (isOpen) answer(graph, race.unwatched(), "blue");
        assertThat(race.resumed(graph)).containsExactly(isOpen ? "blue" : "red");
      } else {
        assertThat(Races.said(answer.value())).containsExactly("red");
        assertThat(race.stored(graph)).containsExactly("red");
      }
      assertThat(done).hasValue(1);
    });
  }
}
