package dev.superstep.message;

import java.util.List;
import java.util.stream.Collectors;

/// What a model said: text, tool calls, or both, and what it thought before.
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

  /// Whether the model asks for tools before it goes on.
  public boolean hasToolCalls() {
    return !calls.isEmpty();
  }

  /// Whether it neither says nor asks for anything.
  public boolean isEmpty() {
    return calls.isEmpty() && text().isBlank();
  }

  @Override
  public String text() {
    return Content.text(content);
  }

  /// What the model thought, as far as the vendor tells.
  public String thinking() {
    return content.stream()
        .map(part -> part instanceof Content.Thinking(var text, _) ? text : "")
        .collect(Collectors.joining());
  }

  @Override
  public AssistantMessage withId(String other) {
    return new AssistantMessage(other, content, calls);
  }

  /// The same, with other tool calls.
  public AssistantMessage withCalls(List<ToolCall> others) {
    return new AssistantMessage(id, content, others);
  }
}
