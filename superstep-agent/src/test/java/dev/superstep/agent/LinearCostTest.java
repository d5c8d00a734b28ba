package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.internal.state.ToolCallIds;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.agent.run.StopReason;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Conversations;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Replies that are large in number take work that grows evenly with them. With work that grows
/// with their square each of these would take hours.
@Tag("W33")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LinearCostTest {
  private static final int MANY = 400_000;

  record None() {}

  private static List<ToolCall> calls(int number, String id) {
    var calls = new ArrayList<ToolCall>(number);
    for (int i = 0; i < number; i++) calls.add(new ToolCall(id, "look", "{}"));
    return calls;
  }

  @Test
  void calls_with_one_id_get_ids_of_their_own() {
    for (var id : List.of("c", "")) {
      var reply = new AssistantMessage("", "", calls(MANY, id));
      var ids = new HashSet<String>();
      for (var call : ToolCallIds.unique(reply, List.of()).calls()) ids.add(call.id());
      assertThat(ids).hasSize(MANY);
    }
  }

  @Test
  void an_agent_that_is_asked_for_too_many_calls_stops_at_its_limit() throws Exception {
    var looks = Tool.of("look", "Looks.", None.class, (_, _) -> "seen");
    var reply = new AssistantMessage("", "", calls(50_000, "same"));
    var model =
        ScriptedModel.replying(
            ScriptedModel.reply(
                reply, dev.superstep.model.Usage.NONE, ChatReply.Finish.TOOL_CALLS));
    var agent = Agent.named("a").model(model).tools(looks).onLimit(OnLimit.RETURN_PARTIAL).build();
    var result = (AgentResult.Partial<String>) agent.run("Go.");
    assertThat(result.report().reason()).isEqualTo(StopReason.TOOL_CALL_LIMIT);
    assertThat(model.calls()).isEqualTo(1);
  }

  @Test
  void answers_that_are_not_in_the_order_of_their_calls_are_found() {
    var calls = new ArrayList<ToolCall>();
    for (int i = 0; i < MANY; i++) calls.add(new ToolCall("c" + i, "look", "{}"));
    var messages = new ArrayList<Message>();
    messages.add(new AssistantMessage("", "", calls));
    messages.add(Message.user("Meanwhile."));
    for (var call : calls.reversed()) {
      messages.add(new ToolMessage("", call.id(), "look", "seen " + call.id(), false));
    }
    var complete = Conversations.complete(messages);
    assertThat(complete).hasSize(MANY + 2);
    assertThat(complete.get(1).text()).isEqualTo("seen c0");
    assertThat(complete.get(MANY).text()).isEqualTo("seen c" + (MANY - 1));
  }
}
