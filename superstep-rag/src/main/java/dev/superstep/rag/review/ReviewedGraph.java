package dev.superstep.rag.review;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.rag.RagGraph;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;

/// A graph of text for those who call it with JSON. It runs within its own limits. Immutable.
final class ReviewedGraph implements ToolGraph {
  private static final Channel<Json, Json> GIVEN = Channel.latest("given", Json.class);
  private static final Channel<Json, Json> OUTPUT = Channel.latest("output", Json.class);

  private final RagGraph made;
  private final Graph graph;

  ReviewedGraph(RagGraph made) {
    this.made = made;
    var inside =
        Subgraph.<State>of(
                made.graph(),
                state -> made.input(state.get(GIVEN)),
                end -> Update.of(OUTPUT, made.output(end)))
            .interceptor((from, _, context, within) -> made.nested(within, context).run(from));
    this.graph =
        Graph.named(made.blueprint().graph())
            .channels(GIVEN, OUTPUT)
            .node("run", inside)
            .edge(Graph.START, "run")
            .edge("run", Graph.END)
            .compile();
  }

  /// Whoever approved the text approved its tools.
  @Override
  public ToolGraph within(ToolGate gate) {
    return this;
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public Input input(Json arguments) {
    // Whoever calls is told here what is wrong with it.
    var _ = made.input(arguments);
    return Input.of(GIVEN, arguments);
  }

  @Override
  public ToolResult result(State end) {
    return ToolResult.of(end.get(OUTPUT).text());
  }
}
