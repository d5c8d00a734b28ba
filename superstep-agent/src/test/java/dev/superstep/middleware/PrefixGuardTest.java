package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PrefixGuardTest {
  record Nothing() {}

  record Other(String what) {}

  private final Stage stage = new Stage();
  private final List<List<String>> changes = new ArrayList<>();

  private static AgentBuilder looking(Middleware... middleware) {
    var tool = Tool.of("look", "Looks.", Nothing.class, (_, _) -> "sun");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", "{}")),
            ScriptedModel.text("Sun."),
            ScriptedModel.text("Still."));
    return agent(model, middleware).tools(tool).instructions("Be kind.");
  }

  /// Says which turn it is: behind the prefix, or in it.
  private record Counting(boolean inPrefix) implements Middleware {
    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      var messages = new ArrayList<>(request.messages());
      var turn = "turn " + context.modelCalls();
      if (inPrefix) messages.set(0, new SystemMessage("instructions", "Be kind. " + turn));
      else messages.add(Message.user(turn));
      return request.withMessages(messages);
    }
  }

  @Test
  @Tag("T22")
  void changes_after_the_prefix_do_not_change_it() throws Exception {
    assertThat(stage.run(looking(new Counting(false), PrefixGuard.failing())).answer())
        .isEqualTo("Sun.");
    assertThat(stage.heard(AgentEvent.ModelStarted.class))
        .hasSize(2)
        .extracting(AgentEvent.ModelStarted::prefix)
        .doesNotContain("")
        .containsOnly(stage.heard(AgentEvent.ModelStarted.class).getFirst().prefix());
    assertThat(stage.names()).doesNotContain("cache.layout_changed");
  }

  @Test
  @Tag("T22")
  void a_change_in_the_prefix_fails_the_agent_and_is_named() {
    assertThatThrownBy(() -> stage.run(looking(new Counting(true), PrefixGuard.failing())))
        .isInstanceOfSatisfying(
            PrefixChanged.class, e -> assertThat(e.segments()).containsExactly("instructions"))
        .hasMessageContaining("changed between two turns, in: instructions");
  }

  @Test
  @Tag("T23")
  @Tag("T22")
  void a_listener_can_receive_the_problem_instead() throws Exception {
    var guard = PrefixGuard.reporting(change -> changes.add(change.segments()));
    assertThat(stage.run(looking(new Counting(true), guard)).answer()).isEqualTo("Sun.");
    assertThat(changes).containsExactly(List.of("instructions"));
    assertThat(stage.names()).contains("cache.layout_changed");
  }

  @Test
  @Tag("T22")
  void a_change_of_tools_is_one_of_the_prefix() throws Exception {
    var turns = new ArrayList<Integer>();
    var dropping =
        new Middleware() {
          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            turns.add(context.modelCalls());
            return context.modelCalls() == 0 ? request : request.withTools(List.of());
          }
        };
    stage.run(looking(dropping, PrefixGuard.reporting(change -> changes.add(change.segments()))));
    assertThat(turns).containsExactly(0, 1);
    assertThat(changes).containsExactly(List.of("tools"));
  }

  @Test
  void the_turns_of_two_runs_are_compared_if_that_is_wanted() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var within = PrefixGuard.reporting(change -> changes.add(change.segments()));
    looking(within).build().run("Hi", options);
    looking(within).instructions("Be curt.").build().run("Hi", options);
    assertThat(changes).isEmpty();
    looking(within.acrossRuns()).instructions("Be kind.").build().run("Hi", options);
    assertThat(changes).containsExactly(List.of("instructions"));
  }

  @Test
  void a_tool_with_another_schema_makes_another_fingerprint() {
    var one = Tool.of("look", "Looks.", Nothing.class, (_, _) -> "");
    var two = Tool.of("look", "Looks.", Other.class, (_, _) -> "");
    var request = ChatRequest.of(Message.system("a"), Message.user("b"));
    assertThat(PromptLayout.prefixOf(request.withTools(List.of(one.spec()))))
        .isNotEqualTo(PromptLayout.prefixOf(request.withTools(List.of(two.spec()))));
  }
}
