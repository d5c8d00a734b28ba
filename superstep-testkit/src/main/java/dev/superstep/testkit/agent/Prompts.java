package dev.superstep.testkit.agent;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.stream.Collectors;

/// Prompts as people read them in failures.
final class Prompts {
  private static final int LINE_MAX = 100;

  private Prompts() {}

  static String show(ChatRequest request) {
    return show(request.messages()) + "\n  tools: " + tools(request);
  }

  static String show(List<Message> messages) {
    var text = new StringBuilder();
    for (int i = 0; i < messages.size(); i++) {
      text.append(i == 0 ? "" : "\n").append("  ").append(i).append(' ');
      text.append(line(messages.get(i)));
    }
    return text.toString();
  }

  static String tools(ChatRequest request) {
    var names = request.tools().stream().map(ToolSpec::name).collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  static String role(Message message) {
    return switch (message) {
      case SystemMessage _ -> "system";
      case UserMessage _ -> "user";
      case AssistantMessage _ -> "assistant";
      case ToolMessage _ -> "tool";
    };
  }

  private static String line(Message message) {
    return switch (message) {
      case AssistantMessage reply when reply.hasToolCalls() ->
          "assistant: "
              + reply.calls().stream()
                  .map(call -> cut(call.tool() + call.arguments() + " as " + call.id()))
                  .collect(Collectors.joining(", ", cut(reply.text()) + "[", "]"));
      case ToolMessage answer ->
          "tool: " + answer.callId() + (answer.error() ? " failed: " : ": ") + cut(answer.text());
      case SystemMessage _, UserMessage _, AssistantMessage _ ->
          role(message) + ": " + cut(message.text());
    };
  }

  static String cut(String text) {
    var line = text.replace("\n", "\\n");
    return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "...";
  }
}
