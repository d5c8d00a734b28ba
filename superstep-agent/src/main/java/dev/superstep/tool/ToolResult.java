package dev.superstep.tool;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.node.Update;
import java.util.List;
import java.util.Optional;

/// What a tool tells the model, and what it does to the program beside that. Immutable.
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

  /// The same, with something for the program.
  public ToolResult withArtifact(Json json) {
    return new ToolResult(content, error, Optional.of(json), patch, isFinal);
  }

  /// The same, with writes to the state. Only for tools of an agent.
  public ToolResult withPatch(Update update) {
    return new ToolResult(content, error, artifact, Optional.of(update), isFinal);
  }

  /// The same, as the answer of the agent.
  public ToolResult asFinal() {
    return new ToolResult(content, error, artifact, patch, true);
  }

  /// The same with other content.
  ToolResult withContent(List<Content> other) {
    return new ToolResult(other, error, artifact, patch, isFinal);
  }
}
