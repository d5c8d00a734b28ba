package dev.superstep.message;

import java.util.List;

/// A turn of a conversation, in the terms that model vendors share. Immutable.
///
/// The id is what a messages channel merges by; an empty id is filled when the message is written.
public sealed interface Message permits SystemMessage, UserMessage, AssistantMessage, ToolMessage {
  /// Unique within a conversation, or empty before the message is written to a channel.
  String id();

  /// All text of the message, without tool calls.
  String text();

  /// Its parts.
  List<Content> content();

  /// Returns a copy under another id.
  Message withId(String id);

  /// Instructions that hold for the whole conversation.
  static SystemMessage system(String text) {
    return new SystemMessage("", text);
  }

  /// A message of a person.
  static UserMessage user(String text) {
    return new UserMessage("", text);
  }

  /// A message of a person, with pictures.
  static UserMessage user(Content... parts) {
    return new UserMessage("", List.of(parts));
  }

  /// A message of a model, without tool calls.
  static AssistantMessage assistant(String text) {
    return new AssistantMessage("", text, List.of());
  }
}
