package dev.superstep.tool;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import dev.superstep.state.State;

/// A graph that a tool is made of. In an agent its run is part of the agent's: what finished is
/// kept, and its questions are the agent's questions. Elsewhere it runs by itself, and nothing of
/// it is kept. Immutable.
public interface ToolGraph {
  /// The same, where agents inside may do no more than this gate lets them.
  ToolGraph within(ToolGate gate);

  /// What runs.
  Graph graph();

  /// What it begins with.
  ///
  /// @param arguments that the tool's schema accepts
  Input input(Json arguments);

  /// What the model is told.
  ///
  /// @param end the final state
  ToolResult result(State end);
}
