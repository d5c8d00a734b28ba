package dev.superstep.tool;

import dev.superstep.json.SuperstepException;

/// A tool wants something of the graph that it is part of, and is part of none. The model cannot
/// repair this, so it fails the batch.
public final class ToolOutsideGraph extends SuperstepException {
  private final String tool;

  ToolOutsideGraph(String tool) {
    super(
        "tool.outside-graph",
        "Tool `"
            + tool
            + "` asks for its graph, but its call is part of none. Give the tool to an agent, or"
            + " run the batch in a node.");
    this.tool = tool;
  }

  /// The tool.
  public String tool() {
    return tool;
  }
}
