package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.HostQueue.Lane;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.schedule.Schedule;
import dev.superstep.schedule.Schedules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of people to an agent, under every order with its turns and its end.
@Timeout(120)
final class HostQueueSchedulesTest {
  /// An agent that repeats the last that it heard, and what it was sent in all.
  private static final class Clerk {
    final RunOptions options;
    final List<String> answers = new ArrayList<>();
    final HostQueue<String> queue;
    final ScriptedModel model;
    private final Schedule schedule;

    Clerk(Schedule schedule) {
      this(schedule, RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()));
    }

    Clerk(Schedule schedule, RunOptions options) {
      this.schedule = schedule;
      this.options = options;
      this.queue =
          HostQueue.of(text -> {
            schedule.point("shows " + text);
            return Message.user(text);
          });
      this.model =
          ScriptedModel.by(request -> {
            schedule.point("asks the model");
            return ScriptedModel.text("re " + request.messages().getLast().text());
          });
    }

    boolean work() throws InterruptedException {
      queue.run(agent(), "first", options, this::hear);
      return true;
    }

    /// Goes on with what a run has left undone, or with a new task.
    void goOn() throws InterruptedException {
      try {
        queue.run(agent(), "again", options, this::hear);
      } catch (ThreadError e) {
        assertThat(e.reason()).isEqualTo(ThreadError.Reason.UNFINISHED);
        queue.resume(agent(), Answers.none(), options, this::hear);
      }
    }

    private Agent<String> agent() {
      return Agent.named("clerk").model(model).build();
    }

    private void hear(AgentResult<String> result) {
      schedule.point("has a result");
      answers.add(result.answer());
    }

    boolean wasHeard(String text) {
      return model.requests().stream()
          .flatMap(request -> request.messages().stream())
          .anyMatch(message -> message.text().equals(text));
    }

    /// Counts a text in the last request to the model.
    long heard(String text) {
      if (model.requests().isEmpty()) return 0;
      var last = model.requests().getLast().messages();
      return last.stream().filter(message -> message.text().equals(text)).count();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Lane.class,
      names = {"STEER", "FOLLOW_UP"})
  void an_add_races_the_end_of_the_agent(Lane lane) {
    Schedules.explore(schedule -> {
      var clerk = new Clerk(schedule);
      var agent = schedule.actor("agent", clerk::work);
      var person = schedule.actor("person", () -> clerk.queue.add(lane, "more"));
      schedule.run();
      assertThat(agent.value()).isTrue();
      boolean isWaiting = !clerk.queue.waiting(lane).isEmpty();
      // It is heard once or it waits; if it was said to be heard, it is.
      assertThat(clerk.heard("more")).isEqualTo(isWaiting ? 0 : 1);
      if (person.value()) assertThat(isWaiting).isFalse();
      assertThat(clerk.answers.getLast()).isEqualTo(isWaiting ? "re first" : "re more");
    });
  }

  @Test
  void two_people_race_the_last_turn() {
    Schedules.explore(schedule -> {
      var clerk = new Clerk(schedule);
      schedule.actor("agent", clerk::work);
      var ann = schedule.actor("ann", () -> clerk.queue.add(Lane.STEER, "from ann"));
      var bob = schedule.actor("bob", () -> clerk.queue.add(Lane.FOLLOW_UP, "from bob"));
      schedule.run();
      assertThat(clerk.heard("from ann")).isEqualTo(1 - clerk.queue.waiting(Lane.STEER).size());
      assertThat(clerk.heard("from bob")).isEqualTo(1 - clerk.queue.waiting(Lane.FOLLOW_UP).size());
      if (ann.value()) assertThat(clerk.heard("from ann")).isEqualTo(1);
      if (bob.value()) assertThat(clerk.heard("from bob")).isEqualTo(1);
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_add_races_a_cancel_of_the_agent(boolean isKept) {
    Schedules.explore(schedule -> {
      var clerk = isKept ? new Clerk(schedule) : new Clerk(schedule, RunOptions.defaults());
      var threads = new CompletableFuture<Thread>();
      var agent =
          schedule.actor(
              "agent",
              () -> {
                threads.complete(Thread.currentThread());
                return clerk.work();
              });
      schedule.actor("person", () -> clerk.queue.add(Lane.STEER, "more"));
      schedule.actor(
          "cancel",
          () -> {
            threads.get().interrupt();
            return true;
          });
      schedule.run();
      agent.thrown().ifPresent(why -> assertThat(why).isInstanceOf(InterruptedException.class));
      // No agent is at work any more, and the next one hears what this one has not.
      assertThat(clerk.queue.add(Lane.COLLECT, "hint")).isFalse();
      clerk.goOn();
      assertThat(clerk.queue.waiting(Lane.STEER)).isEmpty();
      assertThat(clerk.heard("hint") + clerk.queue.waiting(Lane.COLLECT).size()).isEqualTo(1);
      if (isKept) assertThat(clerk.heard("more")).isEqualTo(1);
      else assertThat(clerk.wasHeard("more")).isTrue();
    });
  }
}
