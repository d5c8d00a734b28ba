package dev.superstep.cli.chat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Shows a turn while it runs: text as it is written, tools as they are called and finish. Counts
/// what it costs. One thread at a time.
final class TurnEvents {
  private final ChatOutput output;
  private final String agent;
  private final Map<String, String> arguments = new HashMap<>();
  private ChatCosts costs;

  /// @param agent whose text is shown; those that it calls speak to it alone
  TurnEvents(ChatOutput output, String agent, ChatCosts costs) {
    this.output = output;
    this.agent = agent;
    this.costs = costs;
  }

  ChatCosts costs() {
    return costs;
  }

  void on(Event event) {
    output.event(event);
    switch (event) {
      case Event.TextArrived said when said.origin().path().isEmpty() ->
          output.piece(said.piece().text());
      case Event.TaskStarted task ->
          task.argument()
              .flatMap(Agent::sentCall)
              .ifPresent(call -> arguments.put(call.id(), call.arguments()));
      case Event.NodeRetried _ -> output.voided();
      case Event.NodeEmitted told -> AgentEvent.of(told).ifPresent(this::on);
      case Event _ -> {}
    }
  }

  private void on(AgentEvent event) {
    costs = costs.plus(event);
    switch (event) {
      case AgentEvent.ModelStarted started when started.agent().equals(agent) -> output.begin();
      case AgentEvent.RetryScheduled _ -> output.voided();
      case AgentEvent.ToolStarted tool ->
          output.tool(
              "* %s%s %s"
                  .formatted(
                      by(tool.agent()), tool.tool(), arguments.getOrDefault(tool.call(), "")));
      case AgentEvent.ToolProgress tool -> output.tool("* " + tool.tool() + ": " + tool.text());
      case AgentEvent.ToolCompleted tool ->
          output.tool(
              "* %s%s done, %s".formatted(by(tool.agent()), tool.tool(), time(tool.took())));
      case AgentEvent.ToolFailed tool ->
          output.tool(
              "* %s%s failed, %s".formatted(by(tool.agent()), tool.tool(), time(tool.took())));
      case AgentEvent.ToolDenied tool -> output.tool("* " + tool.tool() + " was not allowed");
      case AgentEvent.ToolUnknown tool -> output.tool("* there is no tool " + tool.tool());
      case AgentEvent.ToolInvalidArguments tool ->
          output.tool("* " + tool.tool() + " was called with wrong arguments");
      case AgentEvent.SubagentStarted called ->
          output.tool("* " + called.subagent() + " gets a task");
      case AgentEvent _ -> {}
    }
  }

  private String by(String who) {
    return who.equals(agent) ? "" : who + "/";
  }

  private static String time(Duration took) {
    return took.toMillis() < 1_000
        ? took.toMillis() + " ms"
        : "%.1f s".formatted(took.toMillis() / 1_000.0);
  }
}
