package dev.superstep.rag.testing;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.NodeKind;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Expectations of one node of a text; see [TextExpectations]. Immutable.
public final class NodeExpectations {
  private final Blueprint graph;
  private final NodeBlueprint node;

  NodeExpectations(Blueprint graph, NodeBlueprint node) {
    this.graph = graph;
    this.node = node;
  }

  /// Expects a kind.
  public NodeExpectations isOfKind(NodeKind kind) {
    if (node.kind() == kind) return this;
    throw wrong("is of kind `" + node.kind().word() + "`, not `" + kind.word() + "`");
  }

  /// Expects that exactly these nodes may follow; `END` is the end of the graph.
  public NodeExpectations leadsTo(String... nodes) {
    var expected = new TreeSet<>(Set.of(nodes));
    if (next().equals(expected)) return this;
    throw wrong("leads to " + next() + ", not to " + expected);
  }

  /// Expects that nothing but the end of the graph follows.
  public NodeExpectations isTerminal() {
    var next = next();
    next.remove(Edge.END);
    if (next.isEmpty()) return this;
    throw wrong("leads to " + next + ", so it is not the last");
  }

  /// Expects that a label leads to a node.
  public NodeExpectations leadsBy(String label, String to) {
    Optional<String> found =
        node.routes().stream()
            .filter(route -> route.chosenBy().equals(label))
            .map(route -> route.to())
            .findFirst();
    if (found.filter(to::equals).isPresent()) return this;
    throw wrong(
        found
            .map(other -> "leads by `%s` to `%s`, not to `%s`".formatted(label, other, to))
            .orElse("has no route `" + label + "`"));
  }

  /// The nodes that may follow: by its items, by edges, and by joins.
  private Set<String> next() {
    var next = new TreeSet<>(node.targets());
    for (var edge : graph.edges()) {
      switch (edge) {
        case Edge.Direct(var from, var to) when from.equals(node.name()) -> next.add(to);
        case Edge.Join(_, var from, var to) when from.contains(node.name()) -> next.add(to);
        case Edge.Direct _, Edge.Join _, Edge.Trigger _ -> {}
      }
    }
    for (var other : graph.nodes()) {
      if (other.sources().filter(all -> all.nodes().contains(node.name())).isPresent()) {
        next.add(other.name());
      }
    }
    return next;
  }

  private AssertionError wrong(String what) {
    return new AssertionError(
        "node `%s` of graph `%s` %s".formatted(node.name(), graph.graph(), what));
  }

  @Override
  public String toString() {
    return "NodeExpectations[" + node.name() + "]";
  }
}
