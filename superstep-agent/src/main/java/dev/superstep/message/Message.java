package dev.superstep.message;

import java.util.List;

/// One turn of a conversation, in the terms that model vendors share. Immutable.
///
/// The id is what a messages channel merges by; an empty id is filled when the message is written.
public sealed interface Message permits SystemMessage, UserMessage, AssistantMessage, ToolMessage {
  /// Unique within a conversation, or empty before the message is written to a channel.
  String id();

  /// All text of the message, without tool calls.
  String text();

  /// Its parts.
  List<Content> content();

  /// The same message under another id.
  Message withId(String id);

  /// Instructions that hold for the whole conversation.
  static SystemMessage system(String text) {
    return new SystemMessage("", text);
  }

  /// What a person says.
  static UserMessage user(String text) {
    return new UserMessage("", text);
  }

  /// What a person says, with pictures.
  static UserMessage user(Content... parts) {
    return new UserMessage("", List.of(parts));
  }

  /// What a model said, without tool calls.
  static AssistantMessage assistant(String text) {
    return new AssistantMessage("", text, List.of());
  }
}
