package dev.superstep.example.guide;

import static dev.superstep.testkit.agent.AgentAssertions.assertThatPrompt;
import static dev.superstep.testkit.agent.AgentAssertions.assertThatTrajectory;
import static dev.superstep.testkit.agent.ToolCallMatcher.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.testkit.agent.FakeTool;
import dev.superstep.testkit.junit.SuperstepExtension;
import dev.superstep.testkit.model.FlakyModel;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SuperstepExtension.class)
class ShopAgentTest {
  private final FakeTool lookUp = FakeTool.named("look_up").returning("order 17: 30 EUR, broken");
  private final FakeTool refund = FakeTool.named("refund").returning("refunded");

  private Agent<String> shop(ChatModel model) {
    return Agent.named("shop")
        .model(model)
        .instructions("Look an order up before you refund it.")
        .tools(lookUp.tool(), refund.tool())
        .build();
  }

  private static ScriptedModel refunding() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "look_up", "{\"order\":17}")),
        ScriptedModel.calls(new ToolCall("c2", "refund", "{\"order\":17}")),
        ScriptedModel.text("You get 30 EUR back."));
  }

  @Test
  void a_broken_order_is_refunded_after_it_was_looked_up(RunOptions options) throws Exception {
    var model = refunding();
    var result = shop(model).run("Order 17 is broken.", options);
    assertThatTrajectory(result)
        .callsExactly(call("look_up").with("order", 17), call("refund").with("order", 17))
        .callsNoneBefore("refund", "look_up")
        .endedBy(StopReason.ANSWERED);
    assertThatPrompt(model.requests().getLast())
        .hasSystemText("before you refund")
        .offersExactly("look_up", "refund")
        .hasSamePrefixAs(model.requests().getFirst())
        .endsWith("refunded");
  }

  @Test
  void a_refund_is_not_paid_twice_when_the_model_fails_after_it(RunOptions options)
      throws Exception {
    var shop = shop(FlakyModel.every(3, ModelException.Kind.QUOTA, refunding()));
    assertThatThrownBy(() -> shop.run("Order 17 is broken.", options))
        .isInstanceOf(ModelException.class);
    assertThat(shop.resume(Answers.none(), options).answer()).isEqualTo("You get 30 EUR back.");
    assertThat(refund.calls()).hasSize(1);
  }

  @Test
  void an_agent_waits_for_its_tools() throws Exception {
    lookUp.blocked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer =
          threads.submit((Callable<String>) () -> shop(refunding()).run("Broken.").answer());
      lookUp.awaitCalls(1);
      assertThat(refund.calls()).isEmpty();
      lookUp.release(1);
      assertThat(answer.get()).isEqualTo("You get 30 EUR back.");
    }
  }
}
