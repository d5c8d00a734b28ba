package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.asksToWait;
import static dev.superstep.middleware.Stage.error;
import static dev.superstep.middleware.Stage.flaky;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RetryingTest {
  private static final String URL = "openai://a";
  private final Stage stage = new Stage();

  @Test
  @Tag("T40")
  void a_failure_that_may_pass_is_followed_by_another_attempt_after_a_wait() throws Exception {
    var model = flaky(URL, Stage.saying("Hello"), error(Kind.OVERLOADED), error(Kind.TRANSPORT));
    assertThat(stage.run(agent(model, Retrying.times(3))).answer()).isEqualTo("Hello");
    var told = stage.heard(AgentEvent.RetryScheduled.class);
    assertThat(told).extracting(AgentEvent.RetryScheduled::attempt).containsExactly(2, 3);
    assertThat(told)
        .extracting(AgentEvent.RetryScheduled::code)
        .containsExactly("model.overloaded", "model.transport");
    assertThat(told).extracting(AgentEvent.RetryScheduled::model).containsOnly(URL);
    assertThat(stage.slept).isEqualTo(told.stream().map(AgentEvent.RetryScheduled::delay).toList());
    assertThat(stage.slept.get(0)).isLessThanOrEqualTo(Duration.ofMillis(200));
    assertThat(stage.slept.get(1)).isLessThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  @Tag("T40")
  void there_are_four_attempts_of_200_ms_doubled_up_to_30_s_unless_set() {
    assertThat(Retrying.ATTEMPTS).isEqualTo(4);
    assertThat(Backoff.STANDARD)
        .isEqualTo(new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(30)));
    assertThat(Retrying.RETRY_AFTER_MAX).isEqualTo(Duration.ofSeconds(120));
    var errors = new RuntimeException[9];
    java.util.Arrays.setAll(errors, _ -> error(Kind.TIMEOUT));
    var model = flaky(URL, Stage.saying("never"), errors);
    assertThatThrownBy(() -> stage.run(agent(model, Retrying.standard())))
        .isInstanceOf(ModelException.class);
    assertThat(model.errors()).hasSize(5);
    assertThat(stage.slept).hasSize(3);
  }

  @Test
  void the_last_error_is_thrown_when_all_attempts_have_failed() {
    var last = error(Kind.OVERLOADED);
    var model = flaky(URL, Stage.saying("never"), error(Kind.TIMEOUT), last);
    assertThatThrownBy(() -> stage.run(agent(model, Retrying.times(2)))).isSameAs(last);
  }

  @Test
  @Tag("T40")
  void permanent_failures_are_not_retried() {
    for (var kind : new Kind[] {Kind.AUTH, Kind.BAD_REQUEST, Kind.REFUSED, Kind.CONTEXT_LENGTH}) {
      var model = flaky(URL, Stage.saying("never"), error(kind), error(kind));
      assertThatThrownBy(() -> stage.run(agent(model, Retrying.standard())))
          .isInstanceOf(ModelException.class);
      assertThat(model.errors()).hasSize(1);
    }
    assertThat(stage.slept).isEmpty();
  }

  @Test
  @Tag("T40")
  void each_attempt_counts_for_the_budget_and_a_budget_is_no_reason_to_wait() {
    var model = flaky(URL, Stage.saying("never"), error(Kind.TIMEOUT), error(Kind.TIMEOUT));
    var agent = agent(model, Retrying.standard()).budget(Budget.unlimited().calls(2));
    assertThatThrownBy(() -> stage.run(agent)).isInstanceOf(BudgetExceeded.class);
    assertThat(model.errors()).isEmpty();
    assertThat(stage.slept).hasSize(2);
  }

  @Test
  @Tag("T40")
  void a_vendor_that_asks_for_a_wait_gets_it_up_to_a_limit() throws Exception {
    var asked = flaky(URL, Stage.saying("Hello"), asksToWait(Duration.ofSeconds(120)));
    assertThat(stage.run(agent(asked, Retrying.times(2))).answer()).isEqualTo("Hello");
    assertThat(stage.slept).containsExactly(Duration.ofSeconds(120));
    var model = flaky(URL, Stage.saying("never"), asksToWait(Duration.ofSeconds(121)));
    assertThatThrownBy(() -> stage.run(agent(model, Retrying.times(2))))
        .isInstanceOf(ModelException.class);
    assertThat(stage.slept).hasSize(1);
  }

  @Test
  void all_waits_of_a_turn_together_have_a_limit() {
    var wait = Duration.ofSeconds(40);
    var model =
        flaky(URL, Stage.saying("never"), asksToWait(wait), asksToWait(wait), asksToWait(wait));
    var retrying = Retrying.times(9).waitingAtMost(Duration.ofSeconds(100));
    assertThatThrownBy(() -> stage.run(agent(model, retrying))).isInstanceOf(ModelException.class);
    assertThat(stage.slept).containsExactly(wait, wait);
  }

  @Test
  void an_attempt_has_the_time_that_is_set_if_that_is_shorter() throws Exception {
    var model = Stage.saying("a", "b");
    stage.run(agent(model, Retrying.times(1).eachWithin(Duration.ofSeconds(7))));
    stage.run(agent(model, Retrying.times(1).eachWithin(Duration.ofHours(7))));
    assertThat(model.requests().get(0).timeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(model.requests().get(1).timeout()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  @Tag("T40")
  void an_agent_has_four_attempts_unless_a_middleware_says_otherwise() throws Exception {
    var model = flaky(URL, Stage.saying("Hello"), error(Kind.OVERLOADED), error(Kind.TRANSPORT));
    assertThat(stage.run(agent(model)).answer()).isEqualTo("Hello");
    assertThat(stage.slept).hasSize(2);
    var dead = failing(9);
    assertThatThrownBy(() -> stage.run(agent(dead))).isInstanceOf(ModelException.class);
    assertThat(dead.errors()).hasSize(5);
    for (var off : Tracing.all(Retrying.times(1))) {
      var once = failing(9);
      assertThatThrownBy(() -> stage.run(agent(once, off))).isInstanceOf(ModelException.class);
      assertThat(once.errors()).hasSize(8);
    }
  }

  private static Stage.Flaky failing(int times) {
    var errors = new RuntimeException[times];
    java.util.Arrays.setAll(errors, _ -> error(Kind.OVERLOADED));
    return flaky(URL, Stage.saying("never"), errors);
  }

  @Test
  @Tag("T40")
  void a_mute_server_costs_the_timeout_of_the_request_once_and_not_four_times() {
    var limits = new java.util.ArrayList<Duration>();
    var model =
        ScriptedModel.by(request -> {
          limits.add(request.timeout());
          muteFor(request.timeout());
          throw error(Kind.TIMEOUT);
        });
    var all = Duration.ofMillis(300);
    var agent = agent(model).request(request -> request.withTimeout(all));
    assertThatThrownBy(() -> stage.run(agent)).isInstanceOf(ModelException.class);
    assertThat(limits).containsExactly(all);
  }

  private static void muteFor(Duration time) {
    try {
      var _ =
          new CountDownLatch(1).await(time.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("T40")
  void a_further_attempt_has_the_time_that_is_left() throws Exception {
    var limits = new java.util.ArrayList<Duration>();
    var model =
        ScriptedModel.by(request -> {
          limits.add(request.timeout());
          if (limits.size() < 3) throw error(Kind.TRANSPORT);
          return ScriptedModel.text("Hello");
        });
    assertThat(stage.run(agent(model)).answer()).isEqualTo("Hello");
    assertThat(limits.getFirst()).isEqualTo(Duration.ofMinutes(5));
    assertThat(limits.get(1)).isLessThan(limits.get(0));
    assertThat(limits.get(2)).isLessThan(limits.get(1));
  }

  @Test
  @Tag("T9")
  void a_cancel_ends_the_wait() throws Exception {
    var waiting = new CountDownLatch(1);
    var thrown = new AtomicReference<Throwable>();
    var options =
        RunOptions.defaults()
            .sleeper(_ -> {
              waiting.countDown();
              new CountDownLatch(1).await();
            });
    var model = flaky(URL, Stage.saying("never"), error(Kind.TIMEOUT));
    var agent = agent(model, Retrying.times(2)).build();
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
    assertThatThrownBy(() -> Retrying.times(0)).hasMessage("attempts must be at least 1, was 0");
    var retrying = Retrying.times(2);
    assertThatThrownBy(() -> retrying.waitingAtMost(Duration.ZERO))
        .hasMessage("waitingAtMost must be positive, was PT0S");
    assertThatThrownBy(() -> retrying.eachWithin(Duration.ZERO)).hasMessageStartingWith("eachW");
    assertThatThrownBy(() -> retrying.retryAfterAtMost(Duration.ZERO))
        .hasMessageStartingWith("retryAfterAtMost");
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> retrying.backoff(second, 0.5, second))
        .hasMessageStartingWith("factor");
    assertThatThrownBy(() -> retrying.backoff(second, 2, Duration.ZERO))
        .hasMessageStartingWith("cap");
    assertThatThrownBy(() -> retrying.backoff(second.negated(), 2, second))
        .hasMessageStartingWith("base");
  }

  @Test
  void a_retry_inside_of_another_middleware_is_one_call_to_it() throws Exception {
    var calls = new java.util.concurrent.atomic.AtomicInteger();
    var outer =
        new dev.superstep.middleware.Middleware() {
          @Override
          public dev.superstep.model.ChatReply aroundModel(
              dev.superstep.model.ChatRequest request,
              dev.superstep.middleware.AgentContext context,
              ModelNext next)
              throws Exception {
            calls.incrementAndGet();
            return next.call(request);
          }
        };
    var scripted = ScriptedModel.saying("Hello");
    stage.run(agent(flaky(URL, scripted, error(Kind.TIMEOUT)), outer, Retrying.times(2)));
    assertThat(calls).hasValue(1);
    stage.run(
        agent(flaky(URL, Stage.saying("Hello"), error(Kind.TIMEOUT)), Retrying.times(2), outer));
    assertThat(calls).hasValue(3);
  }
}
