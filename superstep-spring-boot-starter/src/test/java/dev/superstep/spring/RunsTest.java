package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.RunRefused;
import dev.superstep.graph.Drain;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.spring.Shop.Hold;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

@Timeout(120)
class RunsTest {
  @TempDir Path folder;

  @AfterEach
  void letAllGoOn() {
    Shop.HELD.values().forEach(hold -> hold.goOn().countDown());
    Shop.HELD.clear();
  }

  private ConfigurableApplicationContext start(String... properties) {
    return new SpringApplicationBuilder(Shop.class)
        .web(WebApplicationType.NONE)
        .properties("superstep.store.file=" + folder.resolve("threads.db"))
        .properties(properties)
        .run();
  }

  @Test
  void a_started_run_can_be_waited_for_and_a_second_one_on_its_thread_is_refused()
      throws Exception {
    var hold = Hold.at(2);
    Shop.HELD.put("t", hold);
    try (var shop = start()) {
      var runs = shop.getBean(Runs.class);
      var run = runs.start("rounds", Input.none(), "t");
      hold.reached().await();
      assertThatThrownBy(() -> runs.start("rounds", Input.none(), "t"))
          .isInstanceOf(ThreadBusy.class);
      hold.goOn().countDown();
      assertThat(run.outcome()).isInstanceOf(Outcome.Completed.class);
      assertThat(runs.left(100)).isEmpty();
    }
  }

  @Test
  void an_agent_asks_before_it_pays_and_goes_on_with_the_answer() throws Exception {
    try (var shop = start()) {
      var runs = shop.getBean(Runs.class);
      assertThat(runs.ask("desk", "Pay me back.", "t").outcome())
          .isInstanceOf(Outcome.Interrupted.class);
      var question = runs.questions("t").getFirst();
      assertThat(question.question()).isEqualTo(Review.QUESTION.name());
      assertThat(runs.left(100)).as("it waits for a person").isEmpty();
      var approved = "{\"%s\":{\"decisions\":[{\"type\":\"approve\"}]}}".formatted(question.id());
      var answers = runs.answers(approved);
      var end = runs.answer("t", answers).outcome();
      assertThat(runs.agent("desk").result(end))
          .isInstanceOfSatisfying(
              AgentResult.Answered.class,
              answered -> assertThat(answered.answer()).isEqualTo("Done: paid 7"));
    }
  }

  @Test
  void an_application_that_stops_ends_its_runs_where_another_one_resumes_them() throws Exception {
    var hold = Hold.at(2);
    Shop.HELD.put("t", hold);
    var first = start();
    var runs = first.getBean(Runs.class);
    var run = runs.start("rounds", Input.none(), "t");
    hold.reached().await();
    var drain = first.getBean(Drain.class);
    var stop = Thread.startVirtualThread(first::close);
    while (!drain.isStarted()) Thread.onSpinWait();
    assertThatThrownBy(() -> runs.start("rounds", Input.none(), "late"))
        .isInstanceOf(RunRefused.class);
    hold.goOn().countDown();
    stop.join();
    assertThat(run.outcome())
        .isInstanceOfSatisfying(
            Outcome.Stopped.class,
            stopped -> assertThat(stopped.reason()).isEqualTo(Outcome.Reason.DRAINED));
    Shop.HELD.clear();
    try (var second = start()) {
      var again = second.getBean(Runs.class);
      assertThat(again.left(100))
          .singleElement()
          .satisfies(left -> {
            assertThat(left.thread()).isEqualTo("t");
            assertThat(left.graph()).isEqualTo("rounds");
            assertThat(left.drained()).isTrue();
          });
      var state = again.graph("rounds").state(again.options("t")).orElseThrow();
      assertThat(state.state().get(Shop.ROUND)).as("the running superstep ended").isEqualTo(2);
      assertThat(again.resume("t").outcome()).isInstanceOf(Outcome.Completed.class);
      assertThat(again.left(100)).isEmpty();
    }
  }

  @Test
  void runs_that_were_left_go_on_by_themselves_where_a_property_says_so() throws Exception {
    var hold = Hold.at(2);
    Shop.HELD.put("t", hold);
    var first = start();
    var runs = first.getBean(Runs.class);
    var run = runs.start("rounds", Input.none(), "t");
    hold.reached().await();
    var drain = first.getBean(Drain.class);
    var stop = Thread.startVirtualThread(first::close);
    while (!drain.isStarted()) Thread.onSpinWait();
    hold.goOn().countDown();
    stop.join();
    run.outcome();
    var last = Hold.at(5);
    Shop.HELD.put("t", last);
    try (var second = start("superstep.resume.enabled=true")) {
      last.reached().await();
      assertThat(second.getBean(Runs.class).left(100)).as("it is at work").isEmpty();
      last.goOn().countDown();
    }
  }

  @Test
  void a_thread_of_which_nothing_is_saved_cannot_be_resumed() {
    try (var shop = start()) {
      var runs = shop.getBean(Runs.class);
      assertThat(runs.questions("nobody")).isEmpty();
      assertThatThrownBy(() -> runs.resume("nobody"))
          .isInstanceOf(UnknownRun.class)
          .hasMessageContaining("`nobody`");
    }
  }
}
