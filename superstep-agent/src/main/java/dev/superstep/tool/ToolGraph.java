package dev.superstep.tool;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import dev.superstep.state.State;

/// A graph that a tool is made of. In an agent its run is part of the agent's: what finished is
/// kept, and its questions are the agent's questions. Elsewhere it runs by itself, and nothing of
/// it is saved. Immutable.
public interface ToolGraph {
  /// Returns a copy whose inner agents obey this gate.
  ToolGraph within(ToolGate gate);

  /// The graph that runs.
  Graph graph();

  /// The input of the graph.
  ///
  /// @param arguments that the tool's schema accepts
  Input input(Json arguments);

  /// The result for the model.
  ///
  /// @param end the final state
  ToolResult result(State end);
}
