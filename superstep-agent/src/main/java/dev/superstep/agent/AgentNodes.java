package dev.superstep.agent;

import dev.superstep.node.Target;

/// The names of the nodes of an agent's graph.
final class AgentNodes {
  static final String BEGIN = "begin";
  static final String MODEL = "model";
  static final String REVIEW = "review";
  static final String FINISH = "finish";
  static final String STEER = "steer";
  static final Target<ToolTask> TOOLS = Target.of("tools", ToolTask.class);

  private AgentNodes() {}
}
