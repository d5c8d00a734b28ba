package dev.superstep.language.check;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.rag.NodeKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The labels that a node can end with, as far as its text says. Immutable.
///
/// @param possible all of them; none if anything is possible
/// @param usual those for each of which a route should be there
/// @param noun for one of them
/// @param none the beginning of a sentence that says that a label is none of them
record Outcomes(List<String> possible, List<String> usual, String noun, String none) {
  private static final Outcomes ANY = new Outcomes(List.of(), List.of(), "", "");
  private static final List<String> BOOLEANS = List.of("true", "false");
  private static final String TOOL_CALL = "tool_call";
  private static final String FINAL = "final";
  private static final List<String> OF_AGENTS = List.of(FINAL, "limit", "refused");

  static Outcomes of(NodeBlueprint node, Blueprint graph) {
    if (node.kind().asks()) return asked(node);
    boolean isBool = node.answer().filter(TypeName.of("bool")::equals).isPresent();
    // Only an answer that is written must be of its type.
    if (isBool && node.into().isPresent() && node.kind() == NodeKind.MODEL) {
      return new Outcomes(BOOLEANS, BOOLEANS, "answer", "the answer is true or false and never");
    }
    if (node.answer().isPresent()) return ANY;
    return switch (node.kind()) {
      case MODEL -> model(node, graph);
      case AGENT, SUBAGENT -> agent(node);
      case TOOL_EXECUTOR, ROUTER, SUBGRAPH, REPL_AGENT, INTERRUPT, HUMAN, JOIN, FUNCTION -> ANY;
    };
  }

  private static Outcomes asked(NodeBlueprint node) {
    var options = node.options();
    if (!options.isEmpty()) return new Outcomes(options, options, "answer", "no option is");
    boolean isBool = node.answer().filter(TypeName.of("bool")::equals).isPresent();
    return isBool
        ? new Outcomes(BOOLEANS, BOOLEANS, "answer", "the answer is true or false and never")
        : ANY;
  }

  /// A model with no other labels than these ends with one of them, whatever it says. It asks for
  /// tools only where executors follow, whose tools it is offered.
  private static Outcomes model(NodeBlueprint node, Blueprint graph) {
    var labels = labels(node);
    if (!Set.of(TOOL_CALL, FINAL).containsAll(labels)) {
      return ANY;
    }
    var possible = new ArrayList<>(List.of(FINAL));
    if (hasTools(node, graph)) possible.add(TOOL_CALL);
    return new Outcomes(
        possible, possible, "outcome", "the model is offered no tools and never ends with");
  }

  private static boolean hasTools(NodeBlueprint node, Blueprint graph) {
    var targets = new HashSet<>(node.targets());
    for (var edge : graph.edges()) {
      if (edge instanceof Edge.Direct(var from, var to) && from.equals(node.name())) {
        targets.add(to);
      }
    }
    return !node.middleware().isEmpty()
        || targets.stream()
            .flatMap(name -> graph.node(name).stream())
            .anyMatch(other -> other.kind() == NodeKind.TOOL_EXECUTOR);
  }

  /// An agent with no other labels than these ends with one of them, whatever it says.
  private static Outcomes agent(NodeBlueprint node) {
    return OF_AGENTS.containsAll(labels(node))
        ? new Outcomes(OF_AGENTS, List.of(FINAL), "outcome", "an agent never ends with")
        : ANY;
  }

  private static List<String> labels(NodeBlueprint node) {
    return node.routes().stream().map(route -> route.chosenBy()).toList();
  }
}
