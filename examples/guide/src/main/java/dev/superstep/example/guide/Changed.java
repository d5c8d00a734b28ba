package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.node.NodeResult;
import dev.superstep.state.Channel;
import dev.superstep.topology.TopologyDiff;

/// One version of a graph, the next, and what differs.
public final class Changed {
  private Changed() {}

  static GraphBuilder first() {
    return Graph.named("letters")
        .channels(Channel.append("notes", String.class))
        .node("read", (_, _) -> NodeResult.nothing())
        .node("file", (_, _) -> NodeResult.nothing())
        .edge(START, "read")
        .edge("file", END);
  }

  public static void main(String[] args) {
    var before = first().edge("read", "file").compile().topology();
    var after =
        first()
            .channels(Channel.sum("score"))
            .node("judge", (_, _) -> NodeResult.nothing())
            .edge("read", "judge")
            .route("judge", _ -> "file", "file", END)
            .compile()
            .topology();
    System.out.print(after.mermaid());
    System.out.println();
    System.out.print(TopologyDiff.between(before, after).text());
  }
}
