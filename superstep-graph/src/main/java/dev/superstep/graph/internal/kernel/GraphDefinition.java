package dev.superstep.graph.internal.kernel;

import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Router;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.CyclePolicy;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The parts that a builder has collected. One thread at a time.
public final class GraphDefinition {
  public final String name;
  public final List<Channel<?, ?>> channels = new ArrayList<>();
  public final List<Question<?, ?>> questions = new ArrayList<>();
  public final List<NodePart> nodes = new ArrayList<>();
  private final Set<String> handlers = new HashSet<>();
  public final List<EdgePart> edges = new ArrayList<>();
  public final List<NodeSpec.Route> routes = new ArrayList<>();
  public final List<NodeSpec.FanOut> fanOuts = new ArrayList<>();

  /// The routers that the builder was given, for [#routes] and for [#fanOuts].
  public final List<Router<?>> routers = new ArrayList<>();

  public final List<Router<?>> senders = new ArrayList<>();
  public final List<TriggerPart> triggers = new ArrayList<>();
  public final Set<String> deferred = new LinkedHashSet<>();
  public final Map<String, Set<Channel<?, ?>>> gates = new LinkedHashMap<>();

  /// The mistakes that were found already when the parts were added.
  public final List<Problem> problems = new ArrayList<>();

  /// The channels that nodes declare to read, by node.
  public final Map<String, List<Channel<?, ?>>> reads = new LinkedHashMap<>();

  public final Map<String, List<Channel<?, ?>>> writes = new LinkedHashMap<>();

  public CyclePolicy cycles = CyclePolicy.ALLOW;
  public PolicySettings defaults = PolicySettings.NOTHING;
  public Breakpoints breakpoints = Breakpoints.none();
  public @Nullable Integer stepLimit;

  public GraphDefinition(String name) {
    this.name = name;
  }

  /// A node, as it was declared.
  ///
  /// @param code what the builder was given
  /// @param subgraph the graph that it is, if it is one
  public record NodePart(
      String name,
      Object code,
      NodeBody body,
      Optional<SubgraphSpec<?>> subgraph,
      PolicySettings policy) {
    Optional<CompiledGraph> graph() {
      return subgraph.map(SubgraphSpec::graph);
    }
  }

  /// An edge, as it was declared.
  ///
  /// @param needs for a join, how many sources must have finished; else 0
  public record EdgePart(EdgeKind kind, List<String> from, String to, int needs) {
    public static EdgePart of(EdgeKind kind, String from, String to) {
      return new EdgePart(kind, List.of(from), to, 0);
    }
  }

  public record TriggerPart(String node, List<Channel<?, ?>> tokens) {
    Topology.EdgeShape shape() {
      var names = tokens.stream().map(Channel::name).toList();
      return new Topology.EdgeShape(EdgeKind.TRIGGERED, names, node, "", 0);
    }
  }

  public void add(NodePart node) {
    nodes.add(node);
    if (node.policy.onFailure() instanceof OnFailure.Route(var handler, _)) {
      handlers.add(handler.name());
    }
  }

  public void noTarget(String from, String type, String label) {
    problems.add(
        new Problem(
            "label-without-target",
            "the router after "
                + (from.equals(Topology.START) ? "START" : "`" + from + "`")
                + " may choose "
                + type
                + "."
                + label
                + ", which has no target; add one to the map"));
  }

  Topology topology() {
    var channelShapes =
        channels.stream()
            .map(c -> new Topology.ChannelShape(c.name(), c.kind(), c.values().type()))
            .toList();
    var nodeShapes = nodes.stream().map(n -> shape(n)).toList();
    return new Topology(name, channelShapes, nodeShapes, edgeShapes(), Optional.of(types()));
  }

  private Map<String, String> types() {
    var types = new HashMap<String, String>();
    for (var channel : channels) {
      if (!channel.isTracked()) continue;
      var values = channel.values().shape();
      var writes = channel.writes().shape();
      if (!values.isEmpty()) types.put("channel " + channel.name(), values);
      if (!writes.isEmpty() && !writes.equals(values)) {
        types.put("write to " + channel.name(), writes);
      }
    }
    for (var node : nodes) {
      var argument = node.body().argumentShape();
      if (!argument.isEmpty()) types.put("argument of " + node.name(), argument);
    }
    return types;
  }

  private Topology.NodeShape shape(NodePart node) {
    var body = node.body();
    boolean waits = deferred.contains(node.name());
    var gate = gates.getOrDefault(node.name(), Set.of()).stream().map(c -> c.name()).toList();
    return new Topology.NodeShape(
        node.name(), body.argumentType(), node.graph().map(CompiledGraph::topology), waits, gate);
  }

  /// The graphs that are nodes of this one.
  Stream<CompiledGraph> graphs() {
    return nodes.stream().flatMap(node -> node.graph().stream());
  }

  /// The questions of this graph and of all inside it.
  public List<Question<?, ?>> allQuestions() {
    var all = new ArrayList<Question<?, ?>>(questions);
    for (var node : nodes) {
      node.graph().ifPresent(graph -> all.addAll(graph.questions()));
    }
    return all;
  }

  public List<Topology.EdgeShape> edgeShapes() {
    var shapes = new ArrayList<Topology.EdgeShape>();
    for (var edge : edges) {
      shapes.add(new Topology.EdgeShape(edge.kind, edge.from, edge.to, "", edge.needs));
    }
    for (var route : routes) {
      for (int i = 0; i < route.targets().size(); i++) {
        var from = List.of(route.from());
        var to = route.targets().get(i);
        shapes.add(new Topology.EdgeShape(EdgeKind.ROUTED, from, to, route.label(i), 0));
      }
    }
    for (var fanOut : fanOuts) add(shapes, EdgeKind.SENT, fanOut.from(), fanOut.targets());
    for (var trigger : triggers) shapes.add(trigger.shape());
    for (var node : nodes) {
      var policy = policy(node);
      if (policy != null && policy.onFailure() instanceof OnFailure.Route(var handler, _)) {
        add(shapes, EdgeKind.FAILED, node.name, List.of(handler.name()));
      }
    }
    return shapes;
  }

  /// Returns the policy of a node, or null if it has none. A handler does not inherit the handling
  /// of failures from a default that it may be part of.
  public @Nullable PolicySettings policy(NodePart node) {
    boolean catches = !(defaults.onFailure() instanceof OnFailure.Abort);
    var inherited =
        catches && isHandler(node.name)
            ? defaults.with(p -> p.onFailure = OnFailure.abort())
            : defaults;
    var policy = node.policy.or(inherited);
    return policy.isPlain() ? null : policy;
  }

  public boolean isHandler(String name) {
    return routesTo(defaults, name) || handlers.contains(name);
  }

  private static boolean routesTo(PolicySettings policy, String name) {
    return policy.onFailure() instanceof OnFailure.Route(var handler, _)
        && handler.name().equals(name);
  }

  private static void add(
      List<Topology.EdgeShape> shapes, EdgeKind kind, String from, List<String> targets) {
    for (var to : targets) shapes.add(Topology.EdgeShape.of(kind, from, to));
  }
}
