package dev.superstep.message;

import java.util.Optional;

/// A model's request to run a tool.
///
/// @param id unique within the message; the answer carries it back
/// @param tool the tool's name
/// @param arguments what the model wrote, which may be malformed JSON; validated before any use
/// @param seal what the vendor wants back with it
public record ToolCall(String id, String tool, String arguments, Optional<Content.Seal> seal) {
  /// A call without a seal.
  public ToolCall(String id, String tool, String arguments) {
    this(id, tool, arguments, Optional.empty());
  }

  /// Returns a copy for another tool, or with other arguments.
  public ToolCall with(String otherTool, String otherArguments) {
    return new ToolCall(id, otherTool, otherArguments, seal);
  }
}
