package dev.superstep.mcp.server;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.server.internal.call.ServedTool;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;

/// A graph of a program as a tool. The gate of the server does not reach into it. Immutable.
record GraphTool(Graph graph, GraphForm form) implements ToolGraph, ServedTool.WithOptions {
  @Override
  public ToolGraph within(ToolGate gate) {
    return this;
  }

  @Override
  public RunOptions options(RunOptions base) {
    return form.options().apply(base);
  }

  @Override
  public Input input(Json arguments) {
    return form.start().apply(arguments);
  }

  @Override
  public ToolResult result(State end) {
    var value = form.end().apply(end);
    boolean isText = value.text().startsWith("\"");
    return ToolResult.of(isText ? value.as(String.class) : value.text());
  }
}
