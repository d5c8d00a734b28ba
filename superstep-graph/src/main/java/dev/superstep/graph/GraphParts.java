package dev.superstep.graph;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Rate;
import dev.superstep.node.Retry;
import dev.superstep.node.Router;
import dev.superstep.node.Target;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.CyclePolicy;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology.EdgeShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/// The parts that a builder was given for a graph: the shape of [Graph#topology], with the code,
/// the routers and the policies themselves. For tools that write a graph down in another form.
/// Immutable.
///
/// @param edges in the order of declaration, without those of routers, sends and triggers
/// @param deferred the nodes that wait until nothing else is due
/// @param gates by node, the channels of which one must have changed
/// @param reads by node, the channels that it declares to read
/// @param writes by node, the channels that it declares to write
/// @param defaults the policy of nodes that have none of their own
public record GraphParts(
    String graph,
    List<Channel<?, ?>> channels,
    List<Question<?, ?>> questions,
    List<NodePart> nodes,
    List<EdgeShape> edges,
    List<RoutePart> routes,
    List<SendPart> sends,
    List<TriggerPart> triggers,
    Set<String> deferred,
    Map<String, List<Channel<?, ?>>> gates,
    Map<String, List<Channel<?, ?>>> reads,
    Map<String, List<Channel<?, ?>>> writes,
    CyclePolicy cycles,
    Breakpoints breakpoints,
    OptionalInt stepLimit,
    PolicyPart defaults) {
  /// A node.
  ///
  /// @param code a [dev.superstep.node.Node], a [dev.superstep.node.SendNode] or a [Subgraph]
  /// @param target if it is sent an argument
  public record NodePart(String name, Object code, Optional<Target<?>> target, PolicyPart policy) {}

  /// A router.
  ///
  /// @param targets what it may choose, in order
  /// @param labels what it returns for each of these; empty if it returns their names
  /// @param isOne whether it always chooses one
  public record RoutePart(
      String from, Router<?> router, List<String> targets, List<String> labels, boolean isOne) {}

  /// A router that sends arguments.
  public record SendPart(String from, Router<?> router, List<String> targets) {}

  /// A trigger.
  public record TriggerPart(String node, List<Channel<?, ?>> channels) {}

  /// A [NodePolicy]; what is absent is not set.
  public record PolicyPart(
      Optional<Retry> retry,
      Optional<Duration> timeout,
      Optional<Duration> idleTimeout,
      Optional<OnFailure> onFailure,
      OptionalInt concurrency,
      OptionalInt priority,
      Optional<Rate> rate,
      Optional<CachePolicy> cache,
      OptionalInt visits) {
    static PolicyPart of(PolicySettings settings) {
      return new PolicyPart(
          Optional.ofNullable(settings.retry),
          Optional.ofNullable(settings.timeout),
          Optional.ofNullable(settings.idleTimeout),
          Optional.ofNullable(settings.onFailure),
          number(settings.concurrency),
          number(settings.priority),
          Optional.ofNullable(settings.rate),
          Optional.ofNullable(settings.cache),
          number(settings.visits));
    }

    private static OptionalInt number(@org.jspecify.annotations.Nullable Integer value) {
      return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
  }

  static GraphParts of(GraphDefinition from) {
    return new GraphParts(
        from.name,
        List.copyOf(from.channels),
        List.copyOf(from.questions),
        from.nodes.stream().map(GraphParts::node).toList(),
        from.edges.stream()
            .map(e -> new EdgeShape(e.kind(), e.from(), e.to(), "", e.needs()))
            .toList(),
        routes(from),
        sends(from),
        from.triggers.stream().map(t -> new TriggerPart(t.node(), t.tokens())).toList(),
        Set.copyOf(from.deferred),
        lists(from.gates),
        lists(from.reads),
        lists(from.writes),
        from.cycles,
        from.breakpoints,
        PolicyPart.number(from.stepLimit),
        PolicyPart.of(from.defaults));
  }

  private static NodePart node(GraphDefinition.NodePart part) {
    Optional<Target<?>> target =
        part.body() instanceof NodeBody.OnArgument<?> sent
            ? Optional.of(sent.target())
            : Optional.empty();
    return new NodePart(part.name(), part.code(), target, PolicyPart.of(part.policy()));
  }

  private static List<RoutePart> routes(GraphDefinition from) {
    var all = new ArrayList<RoutePart>();
    for (int i = 0; i < from.routes.size(); i++) {
      var route = from.routes.get(i);
      all.add(
          new RoutePart(
              route.from(), from.routers.get(i), route.targets(), route.labels(), route.one()));
    }
    return List.copyOf(all);
  }

  private static List<SendPart> sends(GraphDefinition from) {
    var all = new ArrayList<SendPart>();
    for (int i = 0; i < from.fanOuts.size(); i++) {
      var sent = from.fanOuts.get(i);
      all.add(new SendPart(sent.from(), from.senders.get(i), sent.targets()));
    }
    return List.copyOf(all);
  }

  private static Map<String, List<Channel<?, ?>>> lists(
      Map<String, ? extends java.util.Collection<Channel<?, ?>>> channels) {
    var copy = new TreeMap<String, List<Channel<?, ?>>>();
    channels.forEach((node, some) -> copy.put(node, List.copyOf(some)));
    return java.util.Collections.unmodifiableMap(copy);
  }
}
