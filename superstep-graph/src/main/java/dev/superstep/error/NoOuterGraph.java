package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.HandOff;
import java.util.List;

/// A node handed off to a graph that its own does not run inside of. Nothing is saved of it.
public final class NoOuterGraph extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public NoOuterGraph(String node, HandOff.Destination to, List<String> around) {
    super("graph.no-outer-graph", message(node, to, around), null);
    this.node = node;
  }

  private static String message(String node, HandOff.Destination to, List<String> around) {
    var wanted =
        switch (to) {
          case HandOff.Destination.Parent() -> "the graph around its own";
          case HandOff.Destination.Named(var graph) -> "graph `" + graph + "`";
        };
    return "Node `"
        + node
        + "` hands off to "
        + wanted
        + ", but its graph runs "
        + (around.isEmpty() ? "by itself." : "inside of " + around + " only.")
        + " Run it as a subgraph there, or return a `Command`.";
  }

  /// The node.
  public String node() {
    return node;
  }
}
