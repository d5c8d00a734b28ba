package dev.superstep.message;

import java.util.List;
import java.util.stream.Collectors;

/// A message of a model: text, tool calls, or both, and the thoughts before them.
///
/// @param calls in the order the model gave them
public record AssistantMessage(String id, List<Content> content, List<ToolCall> calls)
    implements Message {
  public AssistantMessage {
    content = List.copyOf(content);
    calls = List.copyOf(calls);
  }

  /// Text and tool calls.
  public AssistantMessage(String id, String text, List<ToolCall> calls) {
    this(id, Content.of(text), calls);
  }

  /// Returns true if the model calls tools.
  public boolean hasToolCalls() {
    return !calls.isEmpty();
  }

  /// Returns true if the message has neither text nor calls.
  public boolean isEmpty() {
    return calls.isEmpty() && text().isBlank();
  }

  @Override
  public String text() {
    return Content.text(content);
  }

  /// The model's thoughts, as far as the vendor reports them.
  public String thinking() {
    return content.stream()
        .map(part -> part instanceof Content.Thinking(var text, _) ? text : "")
        .collect(Collectors.joining());
  }

  @Override
  public AssistantMessage withId(String other) {
    return new AssistantMessage(other, content, calls);
  }

  /// Returns a copy with other tool calls.
  public AssistantMessage withCalls(List<ToolCall> others) {
    return new AssistantMessage(id, content, others);
  }
}
