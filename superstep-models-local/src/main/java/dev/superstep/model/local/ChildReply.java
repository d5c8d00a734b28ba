package dev.superstep.model.local;

import dev.superstep.model.ModelException;

/// A line from the child to the parent.
sealed interface ChildReply {
  /// The weights are loaded.
  record Ready(int contextTokens, String form) implements ChildReply {}

  record Piece(long id, String text) implements ChildReply {}

  /// The answer is complete; `whole` is false if the token limit cut the answer off
  record Done(long id, int promptTokens, int outputTokens, boolean whole) implements ChildReply {}

  /// The order, or with id 0 the start, failed; the child is ready for the next order.
  record Failed(long id, ModelException.Kind kind, String message) implements ChildReply {}

  /// The child is gone. Made by the parent's reader, never sent.
  record Ended() implements ChildReply {}
}
