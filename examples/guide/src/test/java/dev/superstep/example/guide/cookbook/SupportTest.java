package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;
import static dev.superstep.testkit.agent.AgentAssertions.assertThatTrajectory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.testkit.agent.FakeTool;
import dev.superstep.testkit.agent.ToolCallMatcher;
import dev.superstep.testkit.junit.SuperstepExtension;
import dev.superstep.testkit.model.FlakyModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Tests of an agent that need no model and no waiting.
@ExtendWith(SuperstepExtension.class)
class SupportTest {
  private final FakeTool find = FakeTool.named("find").returning("order 17: in Ghent");

  private Agent<String> support(ChatModel model) {
    return Agent.named("support").model(model).tools(find.tool()).build();
  }

  @Test
  void an_order_is_looked_up_before_the_answer(RunOptions options) throws Exception {
    var call = new ToolCall("c1", "find", "{\"order\":17}");
    var model = ScriptedModel.replying(calls(call), text("It is in Ghent."));
    var result = support(model).run("Where is order 17?", options);
    assertThat(result.answer()).isEqualTo("It is in Ghent.");
    assertThatTrajectory(result).callsExactly(ToolCallMatcher.call("find").with("order", 17));
  }

  @Test
  void an_overloaded_model_is_asked_again(RunOptions options) throws Exception {
    var down = ModelException.Kind.OVERLOADED;
    var model = FlakyModel.first(2, down, ScriptedModel.saying("Hello."));
    var agent = Agent.named("a").model(model).middleware(Retrying.times(3)).build();
    assertThat(agent.run("Hi.", options.sleeper(_ -> {})).answer()).isEqualTo("Hello.");
    assertThat(model.calls()).isEqualTo(3);
  }

  @Test
  void nothing_is_paid_twice_when_the_model_fails_after_the_tool(RunOptions options)
      throws Exception {
    var call = new ToolCall("c1", "find", "{\"order\":17}");
    var replies = ScriptedModel.replying(calls(call), text("It is in Ghent."));
    var agent = support(FlakyModel.every(2, ModelException.Kind.QUOTA, replies));
    assertThatThrownBy(() -> agent.run("Where is order 17?", options))
        .isInstanceOf(ModelException.class);
    assertThat(agent.resume(Answers.none(), options).answer()).isEqualTo("It is in Ghent.");
    assertThat(find.calls()).hasSize(1);
  }
}
