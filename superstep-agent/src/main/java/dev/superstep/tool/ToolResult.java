package dev.superstep.tool;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.node.Update;
import java.util.List;
import java.util.Optional;

/// The result of a tool: the answer for the model, and its effects on the program. Immutable.
///
/// @param error whether it is a failure that the model may repair
/// @param artifact what it made for the program; no model sees it
/// @param patch what it writes to the state, when the superstep is over
/// @param isFinal whether it is the answer of the agent, so that no model is asked again
public record ToolResult(
    List<Content> content,
    boolean error,
    Optional<Json> artifact,
    Optional<Update> patch,
    boolean isFinal) {
  public ToolResult {
    content = List.copyOf(content);
  }

  /// A result.
  public static ToolResult of(String text) {
    return of(Content.of(text));
  }

  /// A result with parts, such as a picture.
  public static ToolResult of(List<Content> content) {
    return new ToolResult(content, false, Optional.empty(), Optional.empty(), false);
  }

  /// A failure that the model may repair, in words meant for it.
  public static ToolResult error(String text) {
    return new ToolResult(Content.of(text), true, Optional.empty(), Optional.empty(), false);
  }

  /// The text that the model sees.
  public String text() {
    return Content.text(content);
  }

  /// Returns a copy with a value for the program.
  public ToolResult withArtifact(Json json) {
    return new ToolResult(content, error, Optional.of(json), patch, isFinal);
  }

  /// Returns a copy with writes to the state. Only for tools of an agent.
  public ToolResult withPatch(Update update) {
    return new ToolResult(content, error, artifact, Optional.of(update), isFinal);
  }

  /// Returns a copy that is the answer of the agent.
  public ToolResult asFinal() {
    return new ToolResult(content, error, artifact, patch, true);
  }

  /// Returns a copy with other content.
  ToolResult withContent(List<Content> other) {
    return new ToolResult(other, error, artifact, patch, isFinal);
  }
}
