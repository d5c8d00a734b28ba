package dev.superstep.middleware;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;

/// What the tests of this package have in common.
final class Talks {
  record City(String name) {}

  static final Tool LOOK =
      Tool.of("look", "Looks.", City.class, (city, _) -> "sun in " + city.name());

  private Talks() {}

  static AgentBuilder agent(ChatModel model) {
    return Agent.named("test").model(model).instructions("Be kind.");
  }

  /// Asks for the weather in so many cities, one after the other, and then answers.
  static ScriptedModel looking(int cities) {
    var replies = new ArrayList<ChatReply>();
    for (int i = 1; i <= cities; i++) {
      var call = new ToolCall("c" + i, "look", "{\"name\":\"city" + i + "\"}");
      replies.add(ScriptedModel.calls(call));
    }
    replies.add(ScriptedModel.text("Sun."));
    return ScriptedModel.replying(replies);
  }

  static List<String> texts(ChatRequest request) {
    return request.messages().stream().map(Message::text).toList();
  }

  /// Options that note what agents tell.
  static RunOptions noting(RunOptions options, List<AgentEvent> events) {
    return options.listener(AgentEvent.listener(events::add));
  }

  static <T> List<T> only(List<AgentEvent> events, Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
