package dev.superstep.agent;

import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentTask;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.util.List;

/// An agent as a tool. Immutable.
record AgentTool<A>(Agent<A> agent) implements ToolGraph {
  @Override
  public ToolGraph within(ToolGate gate) {
    return new AgentTool<>(agent.within(gate));
  }

  @Override
  public Graph graph() {
    return agent.graph();
  }

  @Override
  public Input input(Json arguments) {
    return agent.input(List.of(Message.user(arguments.as(AgentTask.class).task())));
  }

  @Override
  public ToolResult result(State end) {
    var runState = end.get(AgentRunState.CHANNEL);
    var ending = runState.ending().orElseThrow();
    var answer = runState.answer().map(Json::text).orElse(ending.text());
    return ending.reason().isLimit() ? ToolResult.error(answer) : ToolResult.of(answer);
  }
}
