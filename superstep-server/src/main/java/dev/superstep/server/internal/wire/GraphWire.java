package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphParts.NodePart;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The JSON forms of one graph: what clients send to it, and what they see of it. Immutable.
public final class GraphWire {
  private final ServedGraph served;
  private final Map<String, ChannelForm<?, ?>> channels = new LinkedHashMap<>();
  private final Map<String, NodePart> nodes = new LinkedHashMap<>();
  private final InterruptJson interrupts;

  public GraphWire(ServedGraph served) {
    this.served = served;
    var declared = served.graph().parts().channels();
    var hidden = new HiddenChannels(declared);
    for (var channel : declared) {
      if (!hidden.isHidden(channel)) channels.put(channel.name(), form(channel));
    }
    for (var node : served.graph().parts().nodes()) nodes.put(node.name(), node);
    this.interrupts = new InterruptJson(served.graph());
  }

  private static <V, W> ChannelForm<V, W> form(Channel<V, W> channel) {
    return ChannelForm.of(channel);
  }

  /// The graph as it is offered.
  public ServedGraph served() {
    return served;
  }

  public Graph graph() {
    return served.graph();
  }

  /// The same graph, whose runs give back all channels.
  public GraphWire whole() {
    return served.outputs().isEmpty() ? this : new GraphWire(served.giving(List.of()));
  }

  /// The channels that clients know.
  public Map<String, ChannelForm<?, ?>> channels() {
    return channels;
  }

  /// The graph that a node is, or empty if it is none.
  public Optional<GraphWire> inside(String node) {
    var part = nodes.get(node);
    if (part == null || !(part.code() instanceof Subgraph<?> inner)) return Optional.empty();
    return Optional.of(new GraphWire(ServedGraph.of(inner.graph())));
  }

  /// The graph of a namespace, `node:task` joined by `|`.
  ///
  /// @throws HttpFailure 404 if a node of it is no graph
  public GraphWire atNamespace(String namespace) {
    var at = this;
    for (var segment : namespace.split("\\|", -1)) {
      int colon = segment.indexOf(':');
      var node = colon < 0 ? segment : segment.substring(0, colon);
      at =
          at.inside(node)
              .orElseThrow(() ->
                  new HttpFailure(404, "Node `" + node + "` of " + namespace + " is no graph."));
    }
    return at;
  }

  /// The channel that holds the conversation, if there is one.
  public Optional<String> conversation() {
    return channels.entrySet().stream()
        .filter(channel -> channel.getValue().isConversation())
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /// Returns whether a node is sent what it works on.
  public boolean isSent(String node) {
    var part = nodes.get(node);
    return part != null && part.target().isPresent();
  }

  /// The input of a run: an object whose fields are channels, unless the graph has a form of its
  /// own. For a channel that collects items, a list is one write for each item.
  ///
  /// @throws HttpFailure 422 that names the field and the reason
  public Input input(JsonNode input) {
    if (served.input().isPresent()) return formed(input);
    if (Fields.isNone(input)) return Input.none();
    return Input.none().with(writes(input, "input"));
  }

  private Input formed(JsonNode input) {
    var given = input.isMissingNode() ? JsonNodeFactory.instance.nullNode() : input;
    var json = Trees.json(given, "input");
    try {
      return served.input().orElseThrow().apply(json);
    } catch (HttpFailure e) {
      throw e;
    } catch (RuntimeException e) {
      throw PlacedFields.failure("input", "does not fit: " + e.getMessage());
    }
  }

  private List<Write> writes(JsonNode values, String where) {
    if (!values.isObject()) {
      throw PlacedFields.failure(where, "must be an object with the fields " + channels.keySet());
    }
    var all = new ArrayList<Write>();
    values.forEachEntry((name, value) -> all.addAll(writes(name, value, where)));
    return all;
  }

  private List<Write> writes(String name, JsonNode value, String where) {
    var channel = channels.get(name);
    if (channel == null) {
      throw PlacedFields.failure(
          where, "has the unknown field `%s`; known are %s".formatted(name, channels.keySet()));
    }
    return channel.read(value);
  }

  /// The state as clients see it: channels that hold something, but not those of the machinery.
  public ObjectNode values(State state) {
    var all = Trees.object();
    channels.forEach((name, form) -> form.value(state).ifPresent(value -> all.set(name, value)));
    return all;
  }

  /// The values of [dev.superstep.event.Event.StateValues] in that form.
  public ObjectNode values(Map<String, Json> values) {
    var all = Trees.object();
    channels.forEach((name, form) -> {
      var value = values.get(name);
      if (value != null) all.set(name, form.shown(value));
    });
    return all;
  }

  /// Those of some values that a run gives back.
  ///
  /// @param values by channel
  public ObjectNode outputs(ObjectNode values) {
    var named = served.outputs();
    return named.isEmpty() ? values : values.deepCopy().retain(named);
  }

  /// The writes of a node; JSON null if there are none.
  public JsonNode update(List<SavedWrite> writes) {
    var byChannel = new LinkedHashMap<String, List<SavedWrite>>();
    for (var write : writes) {
      byChannel.computeIfAbsent(write.channel(), _ -> new ArrayList<>()).add(write);
    }
    var all = Trees.object();
    byChannel.forEach((name, some) -> {
      var form = channels.get(name);
      if (form != null) all.set(name, form.written(some));
    });
    return all.isEmpty() ? JsonNodeFactory.instance.nullNode() : all;
  }

  /// An edit of the state: an object by channels, a list of these, or null for no writes. An item
  /// of the list may also be a pair of a channel and its value.
  ///
  /// @throws HttpFailure 422 that names the field and the reason
  public Update update(JsonNode values) {
    if (Fields.isNone(values)) return new Update(List.of());
    if (!values.isArray()) return new Update(writes(values, "values"));
    var all = new ArrayList<Write>();
    for (var one : values) {
      boolean isPair = one.isArray() && one.size() == 2 && one.path(0).isString();
      all.addAll(
          isPair
              ? writes(one.path(0).stringValue(), one.path(1), "values")
              : writes(one, "values"));
    }
    return new Update(all);
  }

  /// A command: where to go, and what to write.
  ///
  /// @param to a node, `{node, input}` or a list of these; JSON null or missing for nowhere
  /// @param update as of [#update(JsonNode)]; JSON null or missing for nothing
  /// @throws HttpFailure 422 that names the field and the reason
  public NodeResult command(JsonNode to, JsonNode update) {
    var writes = update(update);
    var gotos = new ArrayList<String>();
    var sends = new ArrayList<Send<?>>();
    if (to.isArray()) for (var one : to) target(one, gotos, sends);
    else if (!Fields.isNone(to)) target(to, gotos, sends);
    return gotos.isEmpty() && sends.isEmpty() ? writes : new Command(writes, gotos, sends);
  }

  private void target(JsonNode to, List<String> gotos, List<Send<?>> sends) {
    var where = "command.goto";
    if (to.isString()) {
      var name = to.stringValue();
      if (!name.equals(Graph.END) && node(name).target().isPresent()) {
        throw PlacedFields.failure(where, "must give node `%s` an input".formatted(name));
      }
      gotos.add(name);
      return;
    }
    if (!to.isObject()) throw PlacedFields.failure(where, "must be a node or {node, input}");
    var node = node(PlacedFields.required(to, "node", where));
    if (node.target().isPresent()) {
      sends.add(send(node.target().get(), to.path("input")));
    } else if (!Fields.isNone(to.path("input"))) {
      throw PlacedFields.failure(
          where, "gives node `%s` an input, and it runs on the state alone".formatted(node.name()));
    } else {
      gotos.add(node.name());
    }
  }

  private NodePart node(String name) {
    var node = nodes.get(name);
    if (node != null) return node;
    throw PlacedFields.failure(
        "command.goto",
        "names the unknown node `%s`; known are %s".formatted(name, nodes.keySet()));
  }

  private static <A> Send<A> send(Target<A> target, JsonNode input) {
    var where = "command.goto.input";
    return Send.to(target, ChannelForm.decoded(Trees.json(input, where), target.codec(), where));
  }

  /// The answers to open questions: a value for the only one, a list in their order, or an object
  /// by their ids.
  ///
  /// @throws HttpFailure 422 if they do not fit
  public Answers answers(JsonNode resume, List<Interrupt> open) {
    return interrupts.answers(resume, open);
  }

  /// A question as clients see it: `{id, value}`.
  public ObjectNode interrupt(Interrupt question) {
    return InterruptJson.of(question);
  }

  /// Open questions by the ids of their tasks.
  public ObjectNode interrupts(List<Interrupt> open) {
    var byTask = Trees.object();
    for (var question : open) {
      byTask.withArray("/" + WireIds.task(question.task())).add(interrupt(question));
    }
    return byTask;
  }

  /// `{graph_id, input_schema, output_schema, state_schema, config_schema, context_schema}`.
  public ObjectNode schemas() {
    return new GraphSchemas(this).all();
  }

  /// The drawing of the graph: `{nodes, edges}`.
  ///
  /// @param xray how many levels of graphs inside are drawn in place of their nodes
  public ObjectNode graph(int xray) {
    return new GraphDrawing(xray).of(graph().topology());
  }

  /// The schemas of graphs inside, by namespace.
  ///
  /// @param namespace only this one, if there is one
  /// @param recurse whether graphs inside those are told as well
  public ObjectNode subgraphs(Optional<String> namespace, boolean recurse) {
    var all = Trees.object();
    subgraphs("", recurse || namespace.isPresent(), all);
    if (namespace.isEmpty()) return all;
    var only = Trees.object();
    var one = all.get(namespace.get());
    if (one != null) only.set(namespace.get(), one);
    return only;
  }

  private void subgraphs(String before, boolean recurse, ObjectNode all) {
    for (var node : nodes.keySet()) {
      var inner = inside(node);
      if (inner.isEmpty()) continue;
      all.set(before + node, inner.get().schemas());
      if (recurse) inner.get().subgraphs(before + node + "|", true, all);
    }
  }
}
