package dev.superstep.terminal;

import dev.superstep.model.ChatModel;

/// The models of a conversation.
///
/// @param name as the status line shows it
/// @param planner makes plans
/// @param generator proposes and explains commands
public record ModelBackend(String name, ChatModel planner, ChatModel generator) {
  /// One model for both.
  public static ModelBackend of(String name, ChatModel model) {
    return new ModelBackend(name, model, model);
  }
}
