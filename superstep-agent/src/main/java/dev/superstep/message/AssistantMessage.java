package dev.superstep.message;

import java.util.List;

/// What a model said: text, tool calls, or both.
///
/// @param calls in the order the model gave them
public record AssistantMessage(String id, String text, List<ToolCall> calls) implements Message {
  public AssistantMessage {
    calls = List.copyOf(calls);
  }

  /// Whether the model asks for tools before it goes on.
  public boolean hasToolCalls() {
    return !calls.isEmpty();
  }

  @Override
  public AssistantMessage withId(String other) {
    return new AssistantMessage(other, text, calls);
  }
}
