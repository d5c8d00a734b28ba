package dev.superstep.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.Activation;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelUse;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The line of progress, from the events of a run.
class RunMeterTest {
  private static final Instant BEGIN = Instant.parse("2026-11-28T10:00:00Z");
  private final RunMeter meter = new RunMeter();

  private static Origin at(int seconds, String... path) {
    var when = BEGIN.plusSeconds(seconds);
    var where = List.of(path);
    return new Origin("run", Optional.of("t"), "g", where, seconds, when, 1, Map.of(), false);
  }

  private void agent(int seconds, AgentEvent event) {
    var origin = at(seconds, "ask");
    meter.on(new Event.NodeEmitted(origin, "model", "task-1", event.name(), Json.of(event)));
  }

  private String text(int seconds) {
    return meter.text(BEGIN.plusSeconds(seconds));
  }

  private void begin() {
    meter.on(new Event.RunStarted(at(0), false));
    meter.on(new Event.StepStarted(at(0), List.of("ask", "ask", "check"), 0));
  }

  private static Event finished(int seconds, String task, String... path) {
    return new Event.NodeFinished(
        at(seconds, path), "ask", task, List.of(), Duration.ofSeconds(seconds));
  }

  @Test
  void tasks_are_counted_and_those_inside_other_graphs_are_not() {
    begin();
    assertThat(text(0)).isEqualTo("ask, check 0/3");
    meter.on(new Event.StepStarted(at(1, "ask"), List.of("inner"), 0));
    meter.on(finished(2, "inner-1", "ask"));
    meter.on(finished(3, "task-1"));
    assertThat(text(75)).isEqualTo("ask, check 1/3 | 1 min 15 s");
    assertThat(meter.total()).isEqualTo("1 task done | 3 s");
  }

  @Test
  void models_and_tools_are_named_as_long_as_they_are_waited_for() {
    begin();
    agent(1, new AgentEvent.ModelStarted("a", 1, "openai://gpt-5.2", ""));
    assertThat(text(9)).isEqualTo("ask, check 0/3 | 9 s | waits for model openai://gpt-5.2 (8 s)");
    agent(10, new AgentEvent.ModelFailed("a", 1, "openai://gpt-5.2", "x"));
    agent(10, new AgentEvent.ToolStarted("a", "c1", "search"));
    agent(10, new AgentEvent.ToolStarted("a", "c2", "fetch"));
    agent(10, new AgentEvent.ToolStarted("a", "c3", "fetch"));
    assertThat(text(10)).endsWith("| waits for tool search, tool fetch and 1 more");
    agent(11, new AgentEvent.ToolCompleted("a", "c1", "search", Duration.ofSeconds(1)));
    meter.on(finished(12, "task-1", "ask"));
    assertThat(text(12)).isEqualTo("ask, check 0/3 | 12 s");
  }

  @Test
  void the_delay_of_a_retry_counts_down_and_ends() {
    begin();
    var delay = Duration.ofSeconds(5);
    meter.on(new Event.NodeRetried(at(1), "ask", "task-1", "", 2, 4, delay, "refused", 0));
    assertThat(text(3)).endsWith("| waits for a retry of ask (attempt 2 of 4) in 3 s");
    assertThat(text(7)).isEqualTo("ask, check 0/3 | 7 s");
  }

  @Test
  void the_cost_so_far_is_money_where_prices_are_known_and_else_tokens() {
    begin();
    var use = new ModelUse("m", new Usage(1000, 0, 234, 0), ChatReply.Source.LIVE);
    meter.on(new Event.NodeEmitted(at(1), "ask", "task-1", ModelUse.RECORDED, Json.of(use)));
    assertThat(text(1)).isEqualTo("ask, check 0/3 | 1 s | 1234 tokens");
    agent(2, new AgentEvent.CostRecorded("a", "m", Optional.of(new BigDecimal("0.00420")), "USD"));
    agent(3, new AgentEvent.CostRecorded("a", "m", Optional.empty(), "USD"));
    assertThat(text(3)).isEqualTo("ask, check 0/3 | 3 s | 0.0042 USD");
  }

  @Test
  void open_questions_are_answers_that_are_waited_for() {
    begin();
    var question =
        new dev.superstep.checkpoint.Interrupt(
            "q1", "task-1", "ask", 0, "", "pay", "Approval", Json.string("?"));
    meter.on(new Event.InterruptRaised(at(1), question));
    assertThat(text(1)).endsWith("| waits for 1 answer");
    meter.on(new Event.InterruptAnswered(at(2), "q1", Json.of(true)));
    assertThat(text(2)).doesNotContain("waits");
  }

  @Test
  void an_event_of_a_program_under_the_same_name_is_no_error() {
    begin();
    meter.on(new Event.NodeEmitted(at(1), "ask", "task-1", "model.started", Json.string("my own")));
    meter.on(new Event.NodeStarted(at(1), "ask", "task-1", new Activation.Entry()));
    assertThat(text(1)).isEqualTo("ask, check 0/3 | 1 s");
  }
}
