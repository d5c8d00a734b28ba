package dev.superstep.mcp.server.options;

/// The use of tasks by a tool: calls in the background, whose results clients fetch later.
public enum TaskUse {
  /// Calls are never tasks.
  NEVER,
  /// Calls are tasks where the client asks for that, and in revision 2026-07-28 wherever it can.
  POSSIBLE,
  /// Calls are always tasks. A client without tasks gets an error.
  ALWAYS,
  /// In revision 2026-07-28, a call becomes a task by the answers to its first questions, which are
  /// asked in its result. Otherwise as [#POSSIBLE].
  AFTER_ANSWERS
}
