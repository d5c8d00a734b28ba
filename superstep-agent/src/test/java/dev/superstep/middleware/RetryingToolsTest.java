package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RetryingToolsTest {
  record Nothing() {}

  private final Stage stage = new Stage();
  private final AtomicInteger runs = new AtomicInteger();

  /// Fails so often, then works.
  private Tool failing(int times, ToolPolicy policy) {
    return Tool.of(
            "look",
            "Looks.",
            Nothing.class,
            (_, _) -> {
              if (runs.incrementAndGet() <= times) throw new IllegalStateException("no signal");
              return "sun";
            })
        .withPolicy(policy);
  }

  private String seen(Tool tool, RetryingTools retrying) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", "{}")), ScriptedModel.text("Done."));
    var result = stage.run(agent(model, retrying).tools(tool));
    return result.report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(Message::text)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_tool_that_only_reads_is_called_again() throws Exception {
    assertThat(seen(failing(2, ToolPolicy.readOnly()), RetryingTools.times(3))).isEqualTo("sun");
    assertThat(runs).hasValue(3);
    assertThat(stage.slept).hasSize(2);
    assertThat(stage.heard(AgentEvent.RetryScheduled.class))
        .extracting(AgentEvent.RetryScheduled::model, AgentEvent.RetryScheduled::attempt)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("look", 2),
            org.assertj.core.groups.Tuple.tuple("look", 3));
  }

  @Test
  void the_model_sees_the_last_error() throws Exception {
    assertThat(seen(failing(9, ToolPolicy.readOnly()), RetryingTools.times(3)))
        .contains("no signal");
    assertThat(runs).hasValue(3);
  }

  @Test
  void a_tool_that_may_not_be_called_twice_is_not() throws Exception {
    var sends = ToolPolicy.of(SideEffect.values()[0]);
    assertThat(seen(failing(9, sends), RetryingTools.times(3))).contains("no signal");
    assertThat(seen(failing(9, ToolPolicy.UNCLASSIFIED), RetryingTools.times(3)))
        .contains("no signal");
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_tool_that_is_named_is_called_again_whatever_its_policy_says() throws Exception {
    var named = RetryingTools.times(2).only("look");
    assertThat(seen(failing(1, ToolPolicy.UNCLASSIFIED), named)).isEqualTo("sun");
    runs.set(0);
    var other = RetryingTools.times(2).only("other");
    assertThat(seen(failing(1, ToolPolicy.readOnly()), other)).contains("no signal");
  }

  @Test
  void the_agent_fails_if_that_is_wanted() {
    var throwing = RetryingTools.times(2).throwing();
    assertThatThrownBy(() -> seen(failing(9, ToolPolicy.readOnly()), throwing))
        .isInstanceOfSatisfying(
            ToolKeptFailing.class,
            e -> {
              assertThat(e.tool()).isEqualTo("look");
              assertThat(e.attempts()).isEqualTo(2);
            })
        .hasMessageContaining("no signal");
  }

  @Test
  void results_that_are_no_errors_may_be_a_reason_too() throws Exception {
    var until = RetryingTools.times(5).when(result -> runs.get() < 3);
    assertThat(seen(failing(0, ToolPolicy.readOnly()), until)).isEqualTo("sun");
    assertThat(runs).hasValue(3);
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(() -> RetryingTools.times(0)).hasMessageStartingWith("attempts");
    assertThatThrownBy(() -> RetryingTools.times(1).only()).hasMessage("only must name a tool");
  }
}
