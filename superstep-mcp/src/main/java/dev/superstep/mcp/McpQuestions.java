package dev.superstep.mcp;

import dev.superstep.node.Approval;
import dev.superstep.node.Question;

/// The questions of the tools of MCP servers.
public final class McpQuestions {
  /// Asks for an approval of a tool that changed after it was approved, or was added.
  public static final Question<McpToolChange, Approval> TOOL_CHANGED =
      Question.of("mcp_tool_changed", McpToolChange.class, Approval.class);

  /// Asks what a server asks in the middle of a call: [McpServer#asking].
  public static final Question<McpElicitation, McpAnswer> ELICITED =
      Question.of("mcp_elicitation", McpElicitation.class, McpAnswer.class);

  private McpQuestions() {}
}
