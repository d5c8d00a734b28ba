package dev.superstep.team;

import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Control;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Locale;

/// Gives an agent a tool for each other one, by which it hands the conversation on. Immutable.
final class Handoff implements Middleware {
  private final String self;
  private final List<Other> others;

  /// An agent to hand on to.
  record Other(String name, String description) {}

  private record Nothing() {}

  Handoff(String self, List<Other> others) {
    this.self = self;
    this.others = List.copyOf(others);
  }

  @Override
  public String name() {
    return "handoff";
  }

  @Override
  public List<Channel<?, ?>> channels() {
    return List.of(Swarm.ACTIVE);
  }

  @Override
  public List<Tool> tools() {
    return others.stream().map(Handoff::tool).toList();
  }

  /// Who answers has the conversation.
  @Override
  public void beforeAgent(AgentContext context) {
    context.write(Swarm.ACTIVE, self);
  }

  /// A conversation goes to one agent.
  @Override
  public ChatReply afterModel(ChatReply reply, AgentContext context) {
    long transfers =
        reply.message().calls().stream().filter(call -> call.tool().startsWith(PREFIX)).count();
    if (transfers > 1) context.control(new Control.ToModel(), name());
    return reply;
  }

  private static final String PREFIX = "transfer_to_";

  private static Tool tool(Other other) {
    var name = PREFIX + other.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    return Tool.of(
            name,
            "Hands the conversation to the agent `" + other.name() + "`: " + other.description(),
            Nothing.class,
            (_, _) ->
                ToolResult.of("Transferred to " + other.name() + ".")
                    .withPatch(Update.of(Swarm.ACTIVE, other.name()))
                    .asFinal())
        .withPolicy(ToolPolicy.readOnly());
  }

  @Override
  public String toString() {
    return "Handoff[" + self + "]";
  }
}
