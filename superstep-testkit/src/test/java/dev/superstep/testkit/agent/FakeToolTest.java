package dev.superstep.testkit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("T61")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FakeToolTest {
  record Amount(int amount) {}

  /// An agent whose model makes these calls, each in a turn of its own.
  private static Agent<String> agent(FakeTool tool, String... arguments) {
    var replies = new java.util.ArrayList<dev.superstep.model.ChatReply>();
    for (int i = 0; i < arguments.length; i++) {
      replies.add(ScriptedModel.calls(new ToolCall("c" + i, tool.tool().name(), arguments[i])));
    }
    replies.add(ScriptedModel.text("done"));
    return Agent.named("a").model(ScriptedModel.replying(replies)).tools(tool.tool()).build();
  }

  private static List<String> results(AgentResult<String> result) {
    return result.report().conversation().stream()
        .filter(ToolMessage.class::isInstance)
        .map(m -> (((ToolMessage) m).error() ? "failed: " : "") + m.text())
        .toList();
  }

  @Test
  void a_fake_tool_records_its_calls_and_returns_its_script() throws Exception {
    var pay = FakeTool.named("pay").returning("paid", "paid again");
    var result = agent(pay, "{\"amount\": 3}", "{}", "{}").run("Pay.");
    assertThat(results(result)).containsExactly("paid", "paid again", "paid again");
    assertThat(pay.arguments()).containsExactly("{\"amount\":3}", "{}", "{}");
    assertThat(pay.calls()).extracting(FakeTool.Call::id).containsExactly("c0", "c1", "c2");
    assertThat(pay.calls()).extracting(FakeTool.Call::key).doesNotHaveDuplicates();
  }

  @Test
  void arguments_that_break_the_record_do_not_reach_a_fake_tool() throws Exception {
    var pay = FakeTool.named("pay", Amount.class);
    var result = agent(pay, "{\"amount\":\"three\"}", "{\"amount\":3}").run("Pay.");
    assertThat(pay.arguments()).containsExactly("{\"amount\":3}");
    assertThat(results(result).getFirst()).startsWith("failed: ");
    assertThat(results(result).getLast()).isEqualTo("ok");
  }

  @Test
  void a_fake_tool_fails_as_often_as_configured() throws Exception {
    var pay = FakeTool.named("pay").returning("paid").failingFirst(1, "no money");
    var results = results(agent(pay, "{}", "{}").run("Pay."));
    assertThat(results.getFirst()).startsWith("failed: ").contains("no money");
    assertThat(results.getLast()).isEqualTo("paid");
  }

  @Test
  void a_fake_tool_holds_its_calls_until_they_are_released() throws Exception {
    var pay = FakeTool.named("pay").by(call -> ToolResult.of("paid " + call.number())).blocked();
    var agent = agent(pay, "{}", "{}");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var result = threads.submit((Callable<AgentResult<String>>) () -> agent.run("Pay."));
      pay.awaitCalls(1);
      assertThat(result.isDone()).isFalse();
      pay.release(1);
      pay.awaitCalls(2);
      assertThat(result.isDone()).isFalse();
      pay.release(1);
      assertThat(results(result.get())).containsExactly("paid 1", "paid 2");
    }
  }
}
