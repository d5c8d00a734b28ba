package dev.superstep.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.budget.Budget;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which event tells what the demands on agents name. `docs/event-names.md` has the same table for
/// people.
@Tag("T121")
class AgentEventNamesTest {
  /// What is demanded, and which of our events tell it.
  private static final Map<String, List<String>> STATED = new LinkedHashMap<>();

  /// Stated names that are ours as well.
  private static final List<String> SAME =
      List.of(
          "model.started",
          "model.delta",
          "model.completed",
          "model.failed",
          "model.override_skipped",
          "model.fallback_selected",
          "model.fallback_skipped",
          "tool.started",
          "tool.progress",
          "tool.completed",
          "tool.failed",
          "tool.unknown",
          "tool.invalid_args",
          "tool.filtered",
          "middleware.completed",
          "middleware.failed",
          "cache.hit",
          "cache.miss",
          "cache.layout_changed",
          "retry.scheduled",
          "rate_limit.waited",
          "limit.reached",
          "budget.reserved",
          "budget.reconciled",
          "budget.warning",
          "budget.exceeded",
          "cost.recorded",
          "subagent.started",
          "subagent.completed",
          "subagent.reused",
          "subagent.failed",
          "agent.steered",
          "context.compressed",
          "summary.created",
          "control.applied",
          "memory.loaded",
          "memory.saved");

  static {
    for (var name : SAME) STATED.put(name, List.of(name));
    STATED.put("run.started", List.of("agent.started"));
    STATED.put("run.completed", List.of("agent.completed"));
    STATED.put("run.failed", List.of("agent.failed"));
    STATED.put("middleware.started", List.of("middleware.completed"));
    STATED.put("usage.recorded", List.of("model.completed"));
  }

  record City(String name) {}

  private final List<String> heard = new ArrayList<>();

  private RunOptions options() {
    return RunOptions.defaults().listener(AgentEvent.listener(event -> heard.add(event.name())));
  }

  private static AgentBuilder asking(ScriptedModel model) {
    return Agent.named("weather").model(model);
  }

  @Test
  void each_stated_event_of_agents_exists_and_is_on_the_page() throws Exception {
    var page = Files.readString(Path.of("..", "docs", "event-names.md"));
    assertThat(Set.<Class<?>>copyOf(AgentEvent.Names.BY_NAME.values()))
        .isEqualTo(Set.of(AgentEvent.class.getPermittedSubclasses()));
    for (var stated : STATED.entrySet()) {
      assertThat(AgentEvent.Names.BY_NAME.keySet()).containsAll(stated.getValue());
      var ours = String.join("`, `", stated.getValue());
      assertThat(page).contains("| `" + stated.getKey() + "` | `" + ours + "` |");
    }
    for (var name : AgentEvent.Names.BY_NAME.keySet()) assertThat(page).contains("`" + name + "`");
  }

  @Test
  void a_failing_model_is_told_of_before_the_failing_agent() {
    var busy = new ModelException(ModelException.Kind.REFUSED, "No.");
    var agent = asking(ScriptedModel.by(_ -> fail(busy))).build();
    assertThatThrownBy(() -> agent.run("?", options())).isEqualTo(busy);
    assertThat(heard).containsSubsequence("model.started", "model.failed", "agent.failed");
  }

  private static <T> T fail(RuntimeException error) {
    throw error;
  }

  @Test
  void a_tool_tells_of_its_progress_and_of_its_failure() throws Exception {
    var tool =
        Tool.of(
            "look",
            "Looks.",
            City.class,
            (city, context) -> {
              context.progress("half");
              if (city.name().equals("Atlantis")) throw new IllegalStateException("sunk");
              return "sun";
            });
    var calls =
        ScriptedModel.calls(
            new ToolCall("c1", "look", "{\"name\":\"Atlantis\"}"),
            new ToolCall("c2", "lift", "{}"),
            new ToolCall("c3", "look", "{\"name\":1}"));
    var model = ScriptedModel.replying(calls, ScriptedModel.text("Sunk."));
    asking(model).tools(tool).build().run("?", options());
    assertThat(heard)
        .contains("tool.unknown", "tool.invalid_args")
        .containsSubsequence("tool.started", "tool.progress", "tool.failed");
  }

  /// Throws before the model is asked.
  private static final class Broken implements Middleware {
    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      throw new IllegalStateException("broken");
    }
  }

  @Test
  void a_hook_that_throws_is_told_of() {
    var agent = asking(ScriptedModel.replying()).middleware(new Broken()).build();
    assertThatThrownBy(() -> agent.run("?", options())).hasMessageContaining("broken");
    assertThat(heard).containsSubsequence("middleware.failed", "agent.failed");
  }

  @Test
  void a_budget_is_reserved_warned_of_and_exceeded() {
    var used = new Usage(60, 0, 1, 0);
    var first = ScriptedModel.calls(new ToolCall("c1", "look", "{\"name\":\"Oslo\"}"));
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(first.message(), used, first.finish()),
            ScriptedModel.text("never"));
    var agent =
        asking(model)
            .tools(Tool.of("look", "Looks.", City.class, (_, _) -> "sun"))
            .budget(Budget.unlimited().calls(1).warnAt(0.5))
            .build();
    assertThatThrownBy(() -> agent.run("?", options())).isInstanceOf(SuperstepException.class);
    assertThat(heard)
        .containsSubsequence(
            "budget.reserved", "budget.reconciled", "budget.exceeded", "agent.failed")
        .contains("budget.warning");
  }
}
