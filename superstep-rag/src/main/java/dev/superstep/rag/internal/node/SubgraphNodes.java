package dev.superstep.rag.internal.node;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Item;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.RagError;
import dev.superstep.rag.internal.run.RunDefaults;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the nodes of kind `subgraph`: on the channels that both graphs declare alike, or with
/// mappings between their channels.
public final class SubgraphNodes {
  private final Scene scene;

  public SubgraphNodes(Scene scene) {
    this.scene = scene;
  }

  /// A graph inside.
  ///
  /// @param inner the graph, if it is one of the same text
  /// @param ended the end of the node; if the graph has no mapping of its result, its writes alone
  ///   count
  public Subgraph<Object> of(
      NodeBlueprint node, Graph graph, Optional<Scene> inner, NodeEnd ended) {
    var channels = inner.map(Scene::channels).orElse(Map.of());
    var end = node.items().has(Item.OUTPUT_MAPPING) ? ended : ended.plain();
    var more = node.items().has(Item.OUTPUT_MAPPING) ? ended.plain() : ended;
    var budget = inner.flatMap(scene -> new RunDefaults(scene).budget());
    var input = mapping(node, Item.INPUT_MAPPING);
    var output = mapping(node, Item.OUTPUT_MAPPING);
    Subgraph<Object> subgraph;
    if (output.isPresent() || !isShared(graph, channels)) {
      subgraph =
          Subgraph.of(
              graph,
              given -> input.map(m -> input(m, given, channels)).orElse(Input.none()),
              state -> end.of(result(output, state, inner.isPresent())));
    } else if (input.isPresent() || node.argument().isPresent()) {
      subgraph =
          Subgraph.shared(
              graph, given -> input.map(m -> input(m, given, channels)).orElse(Input.none()));
    } else subgraph = shared(graph);
    boolean isMapped = input.isPresent();
    var meter = scene.meter();
    if (isMapped || meter.isCounting() || budget.isPresent() || !more.more().writes().isEmpty()) {
      subgraph =
          subgraph.interceptor((from, state, context, within) ->
              meter.task(
                  state,
                  context,
                  () -> {
                    var run = meter.nested(within, context, graph.name(), budget);
                    return more.ofGraph(
                        run.run(isMapped ? AgentNodes.Given.of(from, state) : from));
                  }));
    }
    if (node.items().has(Item.REMEMBERING)) subgraph = subgraph.remembering();
    return subgraph;
  }

  /// Returns whether both graphs have a channel in common.
  ///
  /// @param inner the channels of a graph of the same text; empty for a registered one
  private boolean isShared(Graph graph, Map<String, Channel<?, ?>> inner) {
    if (scene.meter().isCounting() && !inner.isEmpty()) return true;
    var own = scene.channels();
    return inner.isEmpty()
        ? graph.topology().channels().stream().anyMatch(c -> own.containsKey(c.name()))
        : inner.entrySet().stream().anyMatch(e -> isSame(e.getValue(), own.get(e.getKey())));
  }

  @SuppressWarnings("ReferenceEquality") // channels are shared by identity
  private static boolean isSame(Channel<?, ?> inner, @Nullable Channel<?, ?> own) {
    return inner == own;
  }

  @SuppressWarnings("unchecked") // it makes nothing of what it is given
  private static Subgraph<Object> shared(Graph graph) {
    return (Subgraph<Object>) (Subgraph<?>) Subgraph.shared(graph);
  }

  private Optional<Mapping> mapping(NodeBlueprint node, Item item) {
    return node.items().text(item).map(name -> scene.component(RagKind.MAPPING, name));
  }

  private Input input(Mapping mapping, Object given, Map<String, Channel<?, ?>> channels) {
    var from = (AgentNodes.Given) given;
    var made = scene.mapped(mapping, from.state(), from.argument());
    return switch (made) {
      case Input input -> input;
      case Update update -> new Input(update.writes(), List.of(), List.of());
      case Map<?, ?> fields -> {
        var all = Input.none();
        for (var field : fields.entrySet()) {
          var channel = inner(channels, String.valueOf(field.getKey()));
          all = all.and(channel, value(channel, field.getValue()));
        }
        yield all;
      }
      default ->
          throw new RagError(
              "rag.mapping-result", "the mapping of a graph's input makes no input and no fields");
    };
  }

  private static Object value(Channel<Object, Object> channel, Object value) {
    return channel.writes().decode(value instanceof Json json ? json : Json.of(value));
  }

  @SuppressWarnings("unchecked") // written by its own codec
  private static Channel<Object, Object> inner(Map<String, Channel<?, ?>> channels, String name) {
    var channel = channels.get(name);
    if (channel != null) return (Channel<Object, Object>) channel;
    throw new RagError(
        "rag.mapping-result", "the graph has no channel `" + name + "` for its input");
  }

  private NodeResult result(Optional<Mapping> mapping, State state, boolean isOfText) {
    var made = mapping.map(each -> each.of(state)).orElse(Map.of());
    var spent = new Update(List.of());
    if (scene.meter().isCounting() && isOfText) spent = scene.meter().inside(state);
    return switch (made) {
      case Update update -> update.and(spent);
      case Command command -> command.with(spent);
      case NodeResult result -> result;
      case Map<?, ?> fields -> {
        var update = spent;
        for (var field : fields.entrySet()) {
          update = update.and(scene.write(String.valueOf(field.getKey()), field.getValue()));
        }
        yield update;
      }
      default ->
          throw new RagError(
              "rag.mapping-result",
              "the mapping of a graph's result makes no result and no fields");
    };
  }
}
