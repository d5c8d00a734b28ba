package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.StopReason;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What holds where nothing is set.
@Timeout(30)
class AgentDefaultsTest {
  record Nothing() {}

  private static final Tool PING = Tool.of("ping", "Pings.", Nothing.class, (_, _) -> "pong");

  @Test
  @Tag("T40")
  @Tag("W27")
  void an_agent_may_take_25_turns_and_50_tool_calls_and_be_8_deep() {
    var loop = ScriptedModel.by(_ -> ScriptedModel.calls(new ToolCall("c", "ping", "{}")));
    var agent = Agent.named("a").model(loop).tools(PING).build();
    assertThatThrownBy(() -> agent.run("Go."))
        .isInstanceOfSatisfying(
            LimitReached.class,
            e -> {
              assertThat(e.reason()).isEqualTo(StopReason.MODEL_CALL_LIMIT);
              assertThat(e.modelCalls()).isEqualTo(25);
            });
    var calls = new ToolCall[51];
    for (int i = 0; i < calls.length; i++) calls[i] = new ToolCall("c" + i, "ping", "{}");
    var many = Agent.named("a").model(ScriptedModel.replying(ScriptedModel.calls(calls)));
    assertThatThrownBy(() -> many.tools(PING).build().run("Go."))
        .isInstanceOfSatisfying(
            LimitReached.class, e -> assertThat(e.reason()).isEqualTo(StopReason.TOOL_CALL_LIMIT));
    assertThat(AgentBuilder.DEPTH).isEqualTo(8);
  }

  @Test
  @Tag("T29")
  void unknown_tools_and_bad_arguments_are_reported_to_the_model() throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "pong", "{}"), new ToolCall("c2", "ping", "{\"x\":1}")),
            ScriptedModel.text("Sorry."));
    var result = Agent.named("a").model(model).tools(PING).build().run("Go.");
    assertThat(result.answer()).isEqualTo("Sorry.");
    assertThat(result.report().conversation())
        .filteredOn(ToolMessage.class::isInstance)
        .allSatisfy(m -> assertThat(((ToolMessage) m).error()).isTrue())
        .hasSize(2);
  }

  @Test
  @Tag("W29")
  @Tag("T38")
  void the_conversation_of_a_thread_is_loaded_and_saved() throws InterruptedException {
    var model = ScriptedModel.saying("Hello, Ada.", "You are Ada.");
    var agent = Agent.named("a").model(model).build();
    var told = new ArrayList<AgentEvent>();
    var options =
        RunOptions.thread("t")
            .checkpoints(new InMemoryCheckpointer())
            .listener(AgentEvent.listener(told::add));
    agent.run("I am Ada.", options);
    agent.run("Who am I?", options);
    assertThat(model.requests().getLast().messages())
        .extracting(Message::text)
        .containsExactly("I am Ada.", "Hello, Ada.", "Who am I?");
    assertThat(told)
        .contains(
            new AgentEvent.MemoryLoaded("a", 1),
            new AgentEvent.MemorySaved("a", 2),
            new AgentEvent.MemoryLoaded("a", 3),
            new AgentEvent.MemorySaved("a", 4));
  }
}
