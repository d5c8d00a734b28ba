package dev.superstep.tool;

/// What a tool tells the model.
///
/// @param error whether it is a failure that the model may repair
public record ToolResult(String text, boolean error) {
  /// A result.
  public static ToolResult of(String text) {
    return new ToolResult(text, false);
  }

  /// A failure that the model may repair, in words meant for it.
  public static ToolResult error(String text) {
    return new ToolResult(text, true);
  }
}
