package dev.superstep.tool;

/// The event that a node with tools emits for each call, under the names `tool.started` and
/// `tool.finished`.
///
/// @param agent the agent that called; empty for a batch that is a node of its own
/// @param call the id that the model gave the call
/// @param tool the name of the tool
/// @param failed whether the answer is an error; false at the start
public record ToolProgress(String agent, String call, String tool, boolean failed) {
  /// A call with good arguments started.
  public static final String STARTED = "tool.started";

  /// A call was answered; a bad one without having started.
  public static final String FINISHED = "tool.finished";
}
