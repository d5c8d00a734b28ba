package dev.superstep.model;

import dev.superstep.message.AssistantMessage;

/// One answer of a model.
///
/// @param model which model answered; for a recording, the model that was recorded
/// @param source whether the model was asked just now
public record ChatReply(
    AssistantMessage message, Usage usage, Finish finish, ModelRef model, Source source) {
  /// Why the model stopped.
  public enum Finish {
    /// It was done.
    STOP,
    /// It asks for tools.
    TOOL_CALLS,
    /// It hit the token limit: the text is cut off.
    LENGTH,
    /// The vendor's filter stopped it.
    FILTERED
  }

  /// Where the answer came from.
  public enum Source {
    /// The model was asked.
    LIVE,
    /// The model was asked earlier; this is what it said then.
    RECORDED,
    /// A test wrote it.
    SCRIPTED
  }
}
