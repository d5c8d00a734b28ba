package dev.superstep.agent.internal.state;

import dev.superstep.node.Target;

/// The names of the nodes of an agent's graph.
public final class AgentNodes {
  public static final String BEGIN = "begin";
  public static final String MODEL = "model";
  public static final String REVIEW = "review";
  public static final String FINISH = "finish";
  public static final String STEER = "steer";
  public static final Target<ToolTask> TOOLS = Target.of("tools", ToolTask.class);

  private AgentNodes() {}
}
