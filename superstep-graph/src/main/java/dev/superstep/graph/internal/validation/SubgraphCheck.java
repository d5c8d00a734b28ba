package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.NodeBody;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.graph.internal.kernel.SubgraphPersistence;
import dev.superstep.graph.internal.kernel.SubgraphSpec;
import dev.superstep.run.Problem;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds mistakes in the subgraphs of a graph.
final class SubgraphCheck {
  private final GraphDefinition definition;
  private final List<Problem> problems;
  private final Set<String> commanding = new HashSet<>();
  private final Set<String> graphs = new HashSet<>();
  private final Set<String> nodes = new HashSet<>();

  private SubgraphCheck(GraphDefinition definition, List<Problem> problems) {
    this.definition = definition;
    this.problems = problems;
  }

  static void check(GraphDefinition definition, List<Problem> problems) {
    new SubgraphCheck(definition, problems).check();
  }

  private void check() {
    for (var edge : definition.edges) {
      if (edge.kind() == EdgeKind.COMMANDED) commanding.addAll(edge.from());
    }
    for (var node : definition.nodes) {
      nodes.add(node.name());
      node.subgraph().ifPresent(subgraph -> subgraph(node, subgraph));
    }
    for (var edge : definition.edges) if (edge.kind() == EdgeKind.HANDED_OFF) handOff(edge);
  }

  private void subgraph(GraphDefinition.NodePart node, SubgraphSpec<?> subgraph) {
    graphs.add(node.name());
    if (subgraph.graph().nesting().height() > NestingDepth.DEPTH_MAX) {
      add(
          "nested-too-deep",
          "node `"
              + node.name()
              + "` holds more than "
              + NestingDepth.DEPTH_MAX
              + " graphs inside of each other, and no more may run so; flatten the nesting");
    }
    if (subgraph.isShared()) shared(node, subgraph);
    boolean several = node.body() instanceof NodeBody.OnArgument<?>;
    if (several && subgraph.remembers()) {
      add(
          "sent-memory",
          "node `"
              + node.name()
              + "` is sent arguments, so that several runs of it would share one memory;"
              + " take `remembering()` away, there or inside of it");
    }
    if (subgraph.persistence() == SubgraphPersistence.NOTHING && isSpecial(subgraph.graph())) {
      add(
          "unkept-memory",
          "node `"
              + node.name()
              + "` is unkept, but it pauses, or a graph inside of it is `remembering()` or has a"
              + " store of its own; nothing would be kept there");
    }
  }

  private static boolean isSpecial(CompiledGraph graph) {
    return graph.nesting().isSpecial() || graph.pausesSomewhere();
  }

  private void shared(GraphDefinition.NodePart node, SubgraphSpec<?> subgraph) {
    if (SubgraphNode.shared(subgraph.graph(), definition.channels).isEmpty()) {
      add(
          "nothing-shared",
          "node `"
              + node.name()
              + "` and the graph around have no channel in common; declare the same constants in"
              + " both, or use `Subgraph.of`");
    }
    if (commanding.contains(node.name())) {
      add(
          "shared-commands",
          "node `"
              + node.name()
              + "` shares its channels and so returns no command; use edges, and `handOffs` for"
              + " what its nodes decide");
    }
  }

  private void handOff(GraphDefinition.EdgePart edge) {
    var from = edge.from().getFirst();
    if (graphs.contains(from) || (!nodes.contains(from) && !from.equals(Topology.START))) return;
    add(
        "hand-off-source",
        (from.equals(Topology.START) ? "START" : "node `" + from + "`")
            + " is no subgraph, so nothing inside of it hands off; use `destinations`");
  }

  private void add(String code, String message) {
    problems.add(new Problem(code, message));
  }
}
