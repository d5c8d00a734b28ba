package dev.superstep.rag;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.ChannelShape;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Draws a graph by its text alone, so that it can be looked at before anything of it is bound. One
/// thread at a time.
final class Sketch {
  /// Deeper than people look into; graphs may be inside each other without end.
  private static final int DEPTH_MAX = 8;

  /// So many nodes are drawn in all: a few lines of text can ask for millions.
  private static final int NODES_MAX = 2_000;

  private final List<Blueprint> all;
  private int nodes;

  Sketch(List<Blueprint> all) {
    this.all = all;
  }

  Topology of(Blueprint blueprint) {
    return of(blueprint, 0);
  }

  private Topology of(Blueprint blueprint, int depth) {
    var channels = blueprint.channels().stream().map(Sketch::channel).toList();
    var shapes = new ArrayList<NodeShape>();
    for (var node : blueprint.nodes()) {
      nodes++;
      shapes.add(
          new NodeShape(
              node.name(),
              node.argument().map(TypeName::toString).orElse(""),
              inside(node, depth),
              node.isDeferred(),
              node.items().texts(Item.RUN_WHEN_CHANGED)));
    }
    return new Topology(blueprint.graph(), channels, shapes, new Lines(blueprint).all());
  }

  private static ChannelShape channel(ChannelBlueprint channel) {
    var type = channel.type().map(TypeName::toString).orElse("");
    return new ChannelShape(channel.name(), channel.reducer(), type);
  }

  private Optional<Topology> inside(NodeBlueprint node, int depth) {
    if (depth == DEPTH_MAX || nodes > NODES_MAX) return Optional.empty();
    return node.graph().flatMap(this::find).map(inner -> of(inner, depth + 1));
  }

  private Optional<Blueprint> find(String graph) {
    return all.stream().filter(each -> each.graph().equals(graph)).findFirst();
  }

  /// The edges of one graph: those of its own lines, and those that items of nodes make.
  private static final class Lines {
    private final Blueprint blueprint;
    private final Set<EdgeShape> edges = new LinkedHashSet<>();
    private final Set<String> followed = new HashSet<>();

    Lines(Blueprint blueprint) {
      this.blueprint = blueprint;
    }

    List<EdgeShape> all() {
      start(blueprint.start());
      blueprint.edges().forEach(this::edge);
      for (var node : blueprint.nodes()) node(node);
      boolean isTriggered = blueprint.edges().stream().anyMatch(Edge.Trigger.class::isInstance);
      for (var node : blueprint.nodes()) {
        boolean isEnd = !isTriggered && !followed.contains(node.name());
        if (isEnd) add(EdgeKind.DIRECT, node.name(), Edge.END);
      }
      return List.copyOf(edges);
    }

    private void start(Items start) {
      var from = Topology.START;
      start.texts(Item.NEXT).forEach(to -> add(EdgeKind.DIRECT, from, to));
      start
          .find(Item.ROUTES, Value.Routes.class)
          .ifPresent(routes -> routes(EdgeKind.ROUTED, from, routes.routes()));
      start
          .find(Item.SENDS, Value.Sends.class)
          .ifPresent(sends -> sends.sends().forEach(to -> add(EdgeKind.SENT, from, to.to())));
      start
          .find(Item.FAN_OUT, Value.FanOut.class)
          .ifPresent(fan -> fan.to().forEach(to -> add(EdgeKind.SENT, from, to)));
    }

    private void edge(Edge edge) {
      switch (edge) {
        case Edge.Direct(var from, var to) -> add(EdgeKind.DIRECT, from, to);
        case Edge.Join(int needs, var from, var to) -> join(needs, from, to);
        case Edge.Trigger(var channels, var to) ->
            edges.add(new EdgeShape(EdgeKind.TRIGGERED, channels, target(to), "", 0));
      }
    }

    private void join(int needs, List<String> from, String to) {
      followed.addAll(from);
      int least = needs == 0 ? from.size() : needs;
      edges.add(new EdgeShape(EdgeKind.JOINED, from, target(to), "", least));
    }

    private void node(NodeBlueprint node) {
      var name = node.name();
      var items = node.items();
      node.sources().ifPresent(sources -> join(sources.needs(), sources.nodes(), name));
      node.next().forEach(to -> add(EdgeKind.DIRECT, name, to));
      boolean isBesideEdges =
          !node.sends().isEmpty()
              || node.fanOut().isPresent()
              || items.has(Item.ADDED_DESTINATIONS);
      var commanded = isBesideEdges ? EdgeKind.ADDED : EdgeKind.COMMANDED;
      routes(node.router().isPresent() ? EdgeKind.ROUTED : commanded, name, node.routes());
      node.sends().forEach(to -> add(EdgeKind.SENT, name, to.to()));
      node.fanOut().ifPresent(fan -> fan.to().forEach(to -> add(EdgeKind.SENT, name, to)));
      node.command().flatMap(Value.Command::target).ifPresent(to -> add(commanded, name, to));
      items.texts(Item.DESTINATIONS).forEach(to -> add(EdgeKind.COMMANDED, name, to));
      items.texts(Item.ADDED_DESTINATIONS).forEach(to -> add(EdgeKind.ADDED, name, to));
      node.onFailure()
          .flatMap(Value.OnFailure::to)
          .ifPresent(to -> edges.add(EdgeShape.of(EdgeKind.FAILED, name, target(to))));
      for (var to : items.texts(Item.HAND_OFFS)) {
        edges.add(EdgeShape.of(EdgeKind.HANDED_OFF, name, target(to)));
      }
    }

    private void routes(EdgeKind kind, String from, List<Value.Route> routes) {
      for (var route : routes) {
        followed.add(from);
        edges.add(new EdgeShape(kind, List.of(from), target(route.to()), route.label(), 0));
      }
    }

    private void add(EdgeKind kind, String from, String to) {
      followed.add(from);
      edges.add(EdgeShape.of(kind, from, target(to)));
    }

    private static String target(String name) {
      return name.equals(Edge.END) ? Topology.END : name;
    }
  }
}
