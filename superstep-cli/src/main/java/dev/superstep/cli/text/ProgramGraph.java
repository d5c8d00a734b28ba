package dev.superstep.cli.text;

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

/// A graph as text for callers that give it a dict of its input and get one of its output. It runs
/// inside of the caller's run, within its own limits. Immutable.
final class ProgramGraph implements ToolGraph {
  private static final Channel<Json, Json> FIELDS = Channel.latest("fields", Json.class);
  private static final Channel<Json, Json> RESULT = Channel.latest("result", Json.class);
  private static final String NODE = "text";

  private final RagGraph text;
  private final Graph graph;

  ProgramGraph(RagGraph text) {
    this.text = text;
    var inside =
        Subgraph.<State>of(
                text.graph(),
                given -> text.input(given.get(FIELDS)),
                end -> Update.of(RESULT, output(end)))
            .interceptor((from, _, context, around) -> text.nested(around, context).run(from));
    this.graph =
        Graph.named("call_" + text.blueprint().graph())
            .channels(FIELDS, RESULT)
            .node(NODE, inside)
            .edge(Graph.START, NODE)
            .edge(NODE, Graph.END)
            .compile();
  }

  private Json output(State end) {
    return text.blueprint().output().isEmpty() ? text.export(end) : text.output(end);
  }

  /// Whoever grants a graph by name grants what its text says, with its own approvals.
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
    // The caller is told of a field that does not fit before anything runs.
    var _ = text.input(arguments);
    return Input.of(FIELDS, arguments);
  }

  @Override
  public ToolResult result(State end) {
    return ToolResult.of(end.get(RESULT).text());
  }
}
