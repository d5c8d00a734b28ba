package dev.superstep.message;

import dev.superstep.json.Json;
import java.util.List;
import java.util.Optional;

/// The result of one tool call.
///
/// @param callId the id of the [ToolCall] that it answers
/// @param content as the model sees it
/// @param error whether it tells of a failure that the model may repair
/// @param artifact what the tool made for the program; no model sees it
public record ToolMessage(
    String id,
    String callId,
    String tool,
    List<Content> content,
    boolean error,
    Optional<Json> artifact)
    implements Message {
  public ToolMessage {
    content = List.copyOf(content);
  }

  /// A result of text.
  public ToolMessage(String id, String callId, String tool, String text, boolean error) {
    this(id, callId, tool, Content.of(text), error, Optional.empty());
  }

  @Override
  public String text() {
    return Content.text(content);
  }

  @Override
  public ToolMessage withId(String other) {
    return new ToolMessage(other, callId, tool, content, error, artifact);
  }

  /// Returns a copy with other text in place of all that the model would see.
  public ToolMessage withText(String text) {
    return new ToolMessage(id, callId, tool, Content.of(text), error, artifact);
  }
}
