package dev.superstep.graph.internal.kernel;

import dev.superstep.error.CorruptThread;
import dev.superstep.error.UnknownTarget;
import dev.superstep.name.NameSuggestion;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The nodes of a graph and what follows what. Immutable once made.
public final class ExecutionGraph {
  private final Map<String, NodeSpec> nodes = new LinkedHashMap<>();
  private final Map<String, NodeSpec.Join> joins = new LinkedHashMap<>();
  private final boolean defers;
  private final NodeSpec start =
      new NodeSpec(Topology.START, -1, new NodeBody.OnState((_, _) -> NodeResult.nothing()), null);

  ExecutionGraph(GraphDefinition definition) {
    for (var part : definition.nodes) {
      var node = new NodeSpec(part.name(), nodes.size(), part.body(), definition.policy(part));
      node.isSubgraph = part.subgraph().isPresent();
      nodes.put(part.name(), node);
    }
    for (var name : definition.deferred) from(name).deferred = true;
    definition.gates.forEach((name, channels) -> from(name).gate.addAll(channels));
    this.defers = !definition.deferred.isEmpty();
    for (var edge : definition.edges) wire(edge);
    for (var route : definition.routes) {
      from(route.from()).routes.add(route);
      from(route.from()).hasEdges = true;
    }
    for (var fanOut : definition.fanOuts) {
      from(fanOut.from()).fanOuts.add(fanOut);
      from(fanOut.from()).hasEdges = true;
    }
  }

  private void wire(GraphDefinition.EdgePart edge) {
    var to = nodes.get(edge.to());
    if (edge.kind() == EdgeKind.COMMANDED || edge.kind() == EdgeKind.ADDED) {
      var from = from(edge.from().getFirst());
      from.destinations.add(edge.to());
      from.additive = edge.kind() == EdgeKind.ADDED;
    } else if (edge.kind() == EdgeKind.HANDED_OFF) {
      from(edge.from().getFirst()).handOffs.add(edge.to());
    } else if (edge.kind() == EdgeKind.DIRECT) {
      var from = from(edge.from().getFirst());
      from.hasEdges = true;
      if (to != null) from.direct.add(to);
    } else if (edge.kind() == EdgeKind.JOINED && to != null) {
      var made = NodeSpec.Join.of(edge.from(), edge.needs(), to);
      joins.put(made.name(), made);
      edge.from().forEach(from -> from(from).joins.add(made));
    }
  }

  public NodeSpec start() {
    return start;
  }

  public @Nullable NodeSpec node(String name) {
    return nodes.get(name);
  }

  /// Returns whether some node waits until nothing else is due.
  boolean defers() {
    return defers;
  }

  /// Refuses stored marks that this graph cannot have made.
  ///
  /// @throws CorruptThread if it names joins or nodes that are not there
  public void check(Snapshot.Marks marks) {
    for (var waiting : marks.arrived().entrySet()) {
      var join = join(waiting.getKey());
      if (!join.from().containsAll(waiting.getValue())) {
        throw new CorruptThread("join `" + join.name() + "` has no such sources");
      }
    }
  }

  /// The join with this name; checkpoints name it.
  NodeSpec.Join join(String name) {
    var join = joins.get(name);
    if (join == null) throw new CorruptThread("join `" + name + "` is unknown");
    return join;
  }

  /// The node to which `from` leads.
  ///
  /// @throws UnknownTarget if there is none
  NodeSpec known(String from, String target) {
    var node = nodes.get(target);
    if (node != null) return node;
    throw new UnknownTarget(from, target, "there is no such node." + suggestion(target));
  }

  /// A sentence that names the node that may be meant, or nothing.
  public String suggestion(String name) {
    return NameSuggestion.nearest(name, nodes.keySet())
        .map(n -> " Did you mean `" + n + "`?")
        .orElse("");
  }

  /// The node to which `from` leads without an argument.
  ///
  /// @throws UnknownTarget if there is none, or if it needs an argument
  NodeSpec plain(String from, String target) {
    var node = known(from, target);
    if (!node.hasArgument()) return node;
    throw new UnknownTarget(from, target, "it must be sent an argument; use a send.");
  }

  /// The node at which an input starts.
  ///
  /// @throws UnknownTarget if there is none, or if it needs an argument
  NodeSpec first(String name) {
    if (!name.equals(Topology.START) && !name.equals(Topology.END)) {
      return plain(UnknownTarget.INPUT, name);
    }
    var why = "it is not a node. Name the nodes that run first.";
    throw new UnknownTarget(UnknownTarget.INPUT, name, why);
  }

  /// The node that a send of `from` runs.
  ///
  /// @throws UnknownTarget if there is none that takes such an argument
  NodeSpec sendable(String from, Send<?> send) {
    var node = known(from, send.target().name());
    if (node.body() instanceof NodeBody.OnArgument<?> body && body.target().equals(send.target())) {
      return node;
    }
    throw new UnknownTarget(
        from, node.name(), "it was declared with another target constant; use the same.");
  }

  public Collection<NodeSpec> nodes() {
    return nodes.values();
  }

  private NodeSpec from(String name) {
    var node = name.equals(Topology.START) ? start : nodes.get(name);
    if (node == null) throw new IllegalStateException("validation let `" + name + "` pass");
    return node;
  }
}
