package dev.superstep.tool;

/// The reaction to a call of a tool that was not offered.
public sealed interface OnUnknownTool {
  /// The model gets an error with the names of the tools, and may try again.
  record ReturnError() implements OnUnknownTool {}

  /// The call fails with a [ToolError.UnknownTool].
  record Fail() implements OnUnknownTool {}

  /// Another tool is called in its place, with the same arguments.
  record Rewrite(String tool) implements OnUnknownTool {}

  /// The model gets an error.
  OnUnknownTool RETURN_ERROR = new ReturnError();
}
