package dev.superstep.message;

import dev.superstep.state.Channel;
import java.util.HashSet;
import java.util.List;

/// Conversations as lists of [Message].
public final class Messages {
  private Messages() {}

  /// A channel that holds a conversation: a message with a known id replaces the one before, any
  /// other is added at the end, and a message without an id gets one.
  public static Channel<List<Message>, Message> channel(String name) {
    return Channel.byId(name, Message.class, Message::id, Message::withId);
  }

  /// The tool calls at the end of a conversation that have no answer yet, in order. Where there are
  /// any, tools come next; else the model does.
  public static List<ToolCall> openCalls(List<? extends Message> messages) {
    var answered = new HashSet<String>();
    for (var message : messages.reversed()) {
      switch (message) {
        case ToolMessage answer -> answered.add(answer.callId());
        case AssistantMessage reply -> {
          return reply.calls().stream().filter(call -> !answered.contains(call.id())).toList();
        }
        case SystemMessage _, UserMessage _ -> {
          return List.of();
        }
      }
    }
    return List.of();
  }
}
