package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.flaky;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RateLimitingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private final Stage stage = new Stage();
  private final RateLimiting limit = RateLimiting.of(10, SECOND.multipliedBy(10));

  private static ScriptedModel echo() {
    return ScriptedModel.by(_ -> ScriptedModel.text("Hello"));
  }

  @Test
  @Tag("T41")
  void calls_of_several_runs_come_at_even_distances() throws Exception {
    var agent = agent(echo(), limit.clock(stage.nanos::get)).build();
    for (int i = 0; i < 3; i++) agent.run("Hi", stage.options());
    assertThat(stage.slept).containsExactly(SECOND, SECOND);
    assertThat(stage.heard(AgentEvent.RateLimitWaited.class))
        .extracting(AgentEvent.RateLimitWaited::waited)
        .containsExactly(SECOND, SECOND);
  }

  @Test
  void after_a_pause_a_burst_is_allowed() throws Exception {
    var agent = agent(echo(), limit.burst(3).clock(stage.nanos::get)).build();
    for (int i = 0; i < 5; i++) agent.run("Hi", stage.options());
    assertThat(stage.slept).containsExactly(SECOND, SECOND);
    stage.nanos.addAndGet(Duration.ofHours(1).toNanos());
    stage.slept.clear();
    for (int i = 0; i < 4; i++) agent.run("Hi", stage.options());
    assertThat(stage.slept).containsExactly(SECOND);
  }

  @Test
  void each_model_has_a_rate_of_its_own() throws Exception {
    var shared = limit.clock(stage.nanos::get);
    stage.run(agent(flaky("openai://a", echo()), shared));
    stage.run(agent(flaky("openai://b", echo()), shared));
    assertThat(stage.slept).isEmpty();
    stage.run(agent(flaky("openai://a", echo()), shared));
    assertThat(stage.slept).containsExactly(SECOND);
  }

  @Test
  @Tag("T41")
  void the_wait_is_not_part_of_the_duration_of_a_call() throws Exception {
    var slow = limit.clock(stage.nanos::get);
    var options =
        RunOptions.defaults()
            .listener(AgentEvent.listener(stage.heard::add))
            .sleeper(time -> {
              // The model is asked after the wait, and the call begins only then.
              assertThat(stage.names()).endsWith("model.resolved");
              stage.nanos.addAndGet(time.toNanos());
            });
    var agent = agent(echo(), slow).build();
    agent.run("Hi", options);
    stage.heard.clear();
    agent.run("Hi", options);
    assertThat(stage.names()).containsSubsequence("rate_limit.waited", "model.started");
  }

  @Test
  void a_wait_that_is_too_long_is_an_error_after_which_another_model_may_answer() throws Exception {
    var shared = limit.waitingAtMost(Duration.ofMillis(1500)).clock(stage.nanos::get);
    var others = Fallback.to(flaky("openai://b", echo()));
    var sleepless = RunOptions.defaults().sleeper(_ -> {});
    var alone = agent(flaky("openai://a", echo()), shared).build();
    alone.run("Hi", sleepless);
    alone.run("Hi", sleepless);
    assertThatThrownBy(() -> alone.run("Hi", sleepless))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ModelException.Kind.RATE_LIMITED);
              assertThat(e.retryAfter()).contains(SECOND.multipliedBy(2));
            })
        .hasMessageContaining("every 1000 ms");
    var result = agent(flaky("openai://a", echo()), others, shared).build().run("Hi", sleepless);
    assertThat(result.answer()).isEqualTo("Hello");
  }

  @Test
  void runs_that_come_at_the_same_moment_get_a_turn_each() throws Exception {
    int runs = 16;
    var barrier = new CyclicBarrier(runs);
    var waits = new CopyOnWriteArrayList<Duration>();
    var agent = agent(echo(), limit.clock(() -> 0L)).build();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < runs; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  barrier.await();
                  agent.run("Hi", RunOptions.defaults().sleeper(waits::add));
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (var thread : threads) thread.join();
    var expected = new ArrayList<Duration>();
    for (int i = 1; i < runs; i++) expected.add(SECOND.multipliedBy(i));
    assertThat(waits).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @Tag("T9")
  void a_cancel_ends_the_wait() throws Exception {
    var waiting = new CountDownLatch(1);
    var thrown = new AtomicReference<Throwable>();
    var agent = agent(echo(), limit.clock(() -> 0L)).build();
    agent.run("Hi");
    var options =
        RunOptions.defaults()
            .sleeper(_ -> {
              waiting.countDown();
              new CountDownLatch(1).await();
            });
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                agent.run("Hi", options);
              } catch (InterruptedException e) {
                thrown.set(e);
              }
            });
    waiting.await();
    thread.interrupt();
    thread.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(() -> RateLimiting.of(0, SECOND)).hasMessageStartingWith("calls");
    assertThatThrownBy(() -> RateLimiting.of(1, Duration.ZERO)).hasMessageStartingWith("per");
    assertThatThrownBy(() -> limit.burst(0)).hasMessageStartingWith("burst");
    assertThatThrownBy(() -> limit.waitingAtMost(Duration.ZERO))
        .hasMessageStartingWith("waitingAtMost");
  }
}
