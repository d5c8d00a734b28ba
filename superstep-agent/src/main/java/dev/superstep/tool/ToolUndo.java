package dev.superstep.tool;

import dev.superstep.json.Json;

/// Undoes a call of a tool: [Tool#withUndo]. Safe for many threads.
@FunctionalInterface
public interface ToolUndo {
  /// Undoes it. Is called again if the process dies before that is saved.
  ///
  /// @param arguments of the call
  /// @param result what the model was told
  void undo(Json arguments, String result) throws Exception;
}
