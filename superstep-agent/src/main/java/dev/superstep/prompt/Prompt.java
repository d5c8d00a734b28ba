package dev.superstep.prompt;

import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import java.util.List;
import java.util.stream.Collectors;

/// A prompt that was made from a template. Immutable.
///
/// @param messages what a model is given
/// @param redacted the same for people: with `[name]` in place of each secret value
public record Prompt(List<Message> messages, List<Message> redacted) {
  public Prompt {
    messages = List.copyOf(messages);
    redacted = List.copyOf(redacted);
  }

  /// The text of its instructions; empty if it has none.
  public String instructions() {
    return messages.stream()
        .filter(SystemMessage.class::isInstance)
        .map(Message::text)
        .collect(Collectors.joining("\n\n"));
  }

  /// Its messages without the instructions.
  public List<Message> turns() {
    return messages.stream().filter(message -> !(message instanceof SystemMessage)).toList();
  }

  /// The text of its only message, for what takes a text.
  ///
  /// @throws IllegalStateException if it has several
  public String text() {
    if (messages.size() != 1) {
      throw new IllegalStateException(
          "the prompt has %d messages; use messages()".formatted(messages.size()));
    }
    return messages.getFirst().text();
  }

  /// The number of messages; nothing that is said.
  @Override
  public String toString() {
    return "Prompt[%d messages]".formatted(messages.size());
  }
}
