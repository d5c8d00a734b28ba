package dev.superstep.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.schema.Description;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ToolBatchTest {
  record City(@Description("In English.") String name) {}

  record Sky(String city, int degrees) {}

  record Nothing() {}

  private static final Tool WEATHER =
      Tool.of("get_weather", "Tells the weather.", City.class, (c, _) -> new Sky(c.name(), 7));

  @Test
  void a_result_may_be_text_a_record_or_a_result() throws InterruptedException {
    assertThat(only(WEATHER, "{\"name\":\"Oslo\"}"))
        .isEqualTo(answer("get_weather", "{\"city\":\"Oslo\",\"degrees\":7}", false));
    var text = Tool.of("say", "Says.", Nothing.class, (_, _) -> "hi");
    assertThat(only(text, "{}")).isEqualTo(answer("say", "hi", false));
    var error = Tool.of("say", "Says.", Nothing.class, (_, _) -> ToolResult.error("closed"));
    assertThat(only(error, "{}")).isEqualTo(answer("say", "closed", true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"name\":1}", "{\"name\":\"x\",\"y\":1}"})
  @Tag("T27")
  void bad_arguments_never_reach_the_tool_and_the_model_is_told(String arguments)
      throws InterruptedException {
    var ran = new AtomicBoolean();
    var tool = Tool.of("get_weather", "Tells.", City.class, (_, _) -> "" + ran.getAndSet(true));
    var answer = only(tool, arguments);
    assertThat(answer.error()).isTrue();
    assertThat(answer.callId()).isEqualTo("c1");
    assertThat(answer.text()).startsWith("The arguments are not valid:\n- ");
    assertThat(ran).isFalse();
  }

  @Test
  void a_tool_without_parameters_may_be_called_with_nothing() throws InterruptedException {
    var tool = Tool.of("now", "Tells the time.", Nothing.class, (_, _) -> "noon");
    assertThat(only(tool, "").text()).isEqualTo("noon");
  }

  @Test
  @Tag("T30")
  void an_unknown_tool_is_reported_to_the_model_with_the_known_names() throws InterruptedException {
    var answer = ToolBatch.of(Tools.of(WEATHER)).run(List.of(call("c1", "weather", "{}")));
    assertThat(answer)
        .containsExactly(
            answer("weather", "There is no tool `weather`. Tools: get_weather.", true));
  }

  @Test
  @Tag("X22")
  void the_policy_may_fail_a_bad_call_before_any_tool_runs() {
    var ran = new AtomicInteger();
    var tool = Tool.of("count", "Counts.", Nothing.class, (_, _) -> "" + ran.incrementAndGet());
    var batch = ToolBatch.of(ToolCaller.of(Tools.of(tool)).withOnUnknown(new OnUnknownTool.Fail()));
    assertThatThrownBy(
            () -> batch.run(List.of(call("c1", "count", "{}"), call("c2", "other", "{}"))))
        .isInstanceOfSatisfying(
            ToolError.UnknownTool.class, e -> assertThat(e.callId()).isEqualTo("c2"))
        .hasMessageContaining("There is no tool `other`");
    assertThat(ran).hasValue(0);
  }

  @Test
  @Tag("X22")
  void an_exception_is_reported_to_the_model_without_its_stack_trace() throws InterruptedException {
    var tool =
        Tool.of(
            "read",
            "Reads.",
            Nothing.class,
            (_, _) -> {
              throw new IOException("no such file");
            });
    assertThat(only(tool, "{}"))
        .isEqualTo(answer("read", "The tool failed with IOException: no such file", true));
  }

  @Test
  void an_error_of_the_machine_fails_the_batch() {
    var tool =
        Tool.of(
            "grow",
            "Grows.",
            Nothing.class,
            (_, _) -> {
              throw new OutOfMemoryError("test");
            });
    assertThatThrownBy(() -> only(tool, "{}")).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  @Tag("T32")
  void a_long_result_is_cut_and_says_so() throws InterruptedException {
    var tool = Tool.of("say", "Says.", Nothing.class, (_, _) -> "ab🙂cd").withResultLimit(3);
    assertThat(only(tool, "{}").text())
        .isEqualTo("ab\n[cut off: the result has 6 characters, the first 2 are shown]");
  }

  @Test
  @Tag("E25")
  void injected_values_reach_the_tool_and_not_the_schema() throws InterruptedException {
    record UserId(String value) {}
    var tool =
        Tool.of(
            "who",
            "Tells who.",
            Nothing.class,
            (_, context) -> context.get(UserId.class).value() + " in " + context.callId());
    var batch = ToolBatch.of(Tools.of(tool));
    var u7 = ToolDependencies.none().and(UserId.class, new UserId("u7"));
    var injected = ToolBatch.of(ToolCaller.of(Tools.of(tool)).withInjected(u7));
    assertThat(injected.run(List.of(call("c1", "who", "{}"))).getFirst().text())
        .isEqualTo("u7 in c1");
    assertThat(tool.spec().parameters().text()).doesNotContain("UserId").doesNotContain("value");
    assertThatThrownBy(() -> batch.run(List.of(call("c1", "who", "{}"))))
        .isInstanceOf(ToolError.Missing.class)
        .hasMessageContaining("`who` asks for a UserId");
  }

  @Test
  @Tag("T37")
  void calls_run_side_by_side_and_answers_keep_the_order_of_the_calls()
      throws InterruptedException {
    var met = new CyclicBarrier(3);
    var last = new CountDownLatch(2);
    var finished = Collections.synchronizedList(new ArrayList<String>());
    var tool =
        Tool.of(
            "meet",
            "Meets the others.",
            City.class,
            (city, _) -> {
              met.await();
              if (city.name().equals("0")) last.await();
              finished.add(city.name());
              last.countDown();
              return city.name();
            });
    var answers = ToolBatch.of(Tools.of(tool)).run(cities("meet", 3));
    assertThat(answers).extracting(ToolMessage::text).containsExactly("0", "1", "2");
    assertThat(finished.getLast()).isEqualTo("0");
  }

  @Test
  @Tag("T37")
  void no_more_calls_run_at_once_than_allowed() throws InterruptedException {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var tool =
        Tool.of(
            "work",
            "Works.",
            City.class,
            (_, _) -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              for (int i = 0; i < 50; i++) Thread.yield();
              return "" + running.decrementAndGet();
            });
    ToolBatch.of(Tools.of(tool)).withConcurrency(2).run(cities("work", 40));
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  @Tag("T117")
  void a_slow_tool_is_interrupted_and_reported_to_the_model() throws InterruptedException {
    var interrupted = new CountDownLatch(1);
    var tool =
        Tool.of(
                "wait",
                "Waits.",
                Nothing.class,
                (_, _) -> blocked(new CountDownLatch(1), interrupted))
            .withTimeout(Duration.ofMillis(20));
    assertThat(only(tool, "{}"))
        .isEqualTo(answer("wait", "The tool did not finish within 20 ms.", true));
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_tool_that_ignores_its_interrupt_is_left_behind() throws InterruptedException {
    var release = new CountDownLatch(1);
    var tool =
        Tool.of("stay", "Stays.", Nothing.class, (_, _) -> stubborn(release))
            .withTimeout(Duration.ofMillis(20));
    try {
      assertThat(only(tool, "{}").error()).isTrue();
    } finally {
      release.countDown();
    }
  }

  @Test
  void interrupting_the_caller_stops_every_call() throws InterruptedException {
    var started = new CountDownLatch(3);
    var stopped = new CountDownLatch(3);
    var tool = Tool.of("wait", "Waits.", City.class, (_, _) -> blocked(started, stopped));
    var outcome = new AtomicReference<Throwable>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ToolBatch.of(Tools.of(tool)).run(cities("wait", 3));
              } catch (InterruptedException e) {
                outcome.set(e);
              }
            });
    started.await();
    caller.interrupt();
    caller.join();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
    assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_failure_stops_the_siblings() throws InterruptedException {
    record Absent() {}
    var started = new CountDownLatch(1);
    var stopped = new CountDownLatch(1);
    var wait = Tool.of("wait", "Waits.", Nothing.class, (_, _) -> blocked(started, stopped));
    var fail =
        Tool.of(
            "fail",
            "Fails.",
            Nothing.class,
            (_, context) -> {
              started.await();
              return context.get(Absent.class);
            });
    var calls = List.of(call("c1", "wait", "{}"), call("c2", "fail", "{}"));
    assertThatThrownBy(() -> ToolBatch.of(Tools.of(wait, fail)).run(calls))
        .isInstanceOf(ToolError.Missing.class);
    assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void no_calls_need_no_answers() throws InterruptedException {
    assertThat(ToolBatch.of(Tools.none()).run(List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Weather", "get weather", "get-weather", "_x", "x_", "wétter", "7x"})
  void names_that_vendors_refuse_are_refused(String name) {
    assertThatThrownBy(() -> Tool.of(name, "Tells.", City.class, (_, _) -> ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`" + name + "`");
  }

  @Test
  void long_names_blank_descriptions_and_twins_are_refused() {
    assertThatThrownBy(() -> Tool.of("x".repeat(65), "Tells.", City.class, (_, _) -> ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Tool.of("x", " ", City.class, (_, _) -> ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Tools.of(WEATHER, WEATHER))
        .hasMessage("two tools are named `get_weather`");
  }

  @Test
  void a_spec_has_name_description_and_schema() {
    assertThat(Tools.of(WEATHER).specs().getFirst().parameters().text())
        .isEqualTo(
            """
            {"type":"object","properties":{"name":{"type":"string",\
            "description":"In English."}},"required":["name"],"additionalProperties":false}\
            """);
  }

  private static String blocked(CountDownLatch started, CountDownLatch stopped)
      throws InterruptedException {
    started.countDown();
    try {
      new CountDownLatch(1).await();
      return "never";
    } finally {
      stopped.countDown();
    }
  }

  private static String stubborn(CountDownLatch release) {
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException _) {
        // Ignores it on purpose.
      }
    }
    return "late";
  }

  private static ToolMessage only(Tool tool, String arguments) throws InterruptedException {
    return ToolBatch.of(Tools.of(tool)).run(List.of(call("c1", tool.name(), arguments))).getFirst();
  }

  private static List<ToolCall> cities(String tool, int count) {
    var calls = new ArrayList<ToolCall>();
    for (int i = 0; i < count; i++) calls.add(call("c" + i, tool, "{\"name\":\"" + i + "\"}"));
    return calls;
  }

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  private static ToolMessage answer(String tool, String text, boolean error) {
    return new ToolMessage("", "c1", tool, text, error);
  }
}
