package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.graph.Graph;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The JSON forms of one graph: what clients send to it, and what they see of it. Immutable.
public final class GraphWire {
  private final ServedGraph served;

  public GraphWire(ServedGraph served) {
    this.served = served;
  }

  /// The graph as it is offered.
  public ServedGraph served() {
    return served;
  }

  Graph graph() {
    return served.graph();
  }

  /// The input of a run: an object whose fields are channels, unless the graph has a form of its
  /// own. For a channel that collects items, a list is one write for each item.
  ///
  /// @throws HttpFailure 422 that names the field and the reason
  public Input input(JsonNode input) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The state as clients see it: channels that hold something, but not those of the machinery.
  public ObjectNode values(State state) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The same of [dev.superstep.event.Event.StateValues].
  public ObjectNode values(Map<String, Json> values) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The writes of a node; JSON null if there are none.
  public JsonNode update(List<TaskRecord.SavedWrite> writes) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// An edit of the state: an object by channels, a list of these, or null for no writes.
  ///
  /// @throws HttpFailure 422 that names the field and the reason
  public Update update(JsonNode values) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// A command: where to go, and what to write.
  ///
  /// @param to a node, `{node, input}` or a list of these; JSON null or missing for nowhere
  /// @param update as of [#update(JsonNode)]; JSON null or missing for nothing
  /// @throws HttpFailure 422 that names the field and the reason
  public NodeResult command(JsonNode to, JsonNode update) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The answers to open questions: a value for the only one, a list in their order, or an object
  /// by their ids.
  ///
  /// @throws HttpFailure 422 if they do not fit
  public Answers answers(JsonNode resume, List<Interrupt> open) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// A question as clients see it: `{id, value}`.
  public ObjectNode interrupt(Interrupt question) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// `{graph_id, input_schema, output_schema, state_schema, config_schema, context_schema}`.
  public ObjectNode schemas() {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The drawing of the graph: `{nodes, edges}`.
  ///
  /// @param xray how many levels of graphs inside are drawn in place of their nodes
  public ObjectNode graph(int xray) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The schemas of graphs inside, by namespace.
  ///
  /// @param namespace only this one, if there is one
  /// @param recurse whether graphs inside those are told as well
  public ObjectNode subgraphs(Optional<String> namespace, boolean recurse) {
    throw new UnsupportedOperationException("not built yet");
  }
}
