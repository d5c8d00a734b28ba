package dev.superstep.flow;

import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;

/// A flow as a tool. Immutable.
record FlowTool<I, O>(Flow<I, O> flow) implements ToolGraph {
  @Override
  public ToolGraph within(ToolGate gate) {
    return new FlowTool<>(flow.within(gate));
  }

  @Override
  public Graph graph() {
    return flow.graph();
  }

  @Override
  public Input input(Json arguments) {
    return flow.input(flow.shape().entry().codec().decode(arguments));
  }

  @Override
  public ToolResult result(State end) {
    var output = end.get(flow.output());
    return ToolResult.of(flow.shape().exit().codec().encode(output).text());
  }
}
