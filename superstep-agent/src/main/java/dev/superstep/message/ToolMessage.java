package dev.superstep.message;

/// The result of one tool call, as the model sees it.
///
/// @param callId the id of the [ToolCall] that it answers
/// @param error whether the text tells of a failure that the model may repair
public record ToolMessage(String id, String callId, String tool, String text, boolean error)
    implements Message {
  @Override
  public ToolMessage withId(String other) {
    return new ToolMessage(other, callId, tool, text, error);
  }
}
