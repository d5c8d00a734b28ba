package dev.superstep.language.check;

import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.RagCode;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Checks that the items of a node fit its kind, that it has those that it needs, and that its
/// routes are labels that it ends with.
final class KindCheck {
  private static final Map<NodeKind, List<Item>> NEEDED = new EnumMap<>(NodeKind.class);

  static {
    NEEDED.put(NodeKind.MODEL, List.of(Item.MODEL_NAME));
    NEEDED.put(NodeKind.AGENT, List.of(Item.MODEL_NAME));
    NEEDED.put(NodeKind.SUBAGENT, List.of(Item.AGENT_NAME));
    NEEDED.put(NodeKind.SUBGRAPH, List.of(Item.GRAPH_NAME));
    NEEDED.put(NodeKind.ROUTER, List.of(Item.ROUTER_NAME, Item.ROUTES));
    NEEDED.put(NodeKind.INTERRUPT, List.of(Item.PROMPT));
    NEEDED.put(NodeKind.HUMAN, List.of(Item.PROMPT));
    NEEDED.put(NodeKind.JOIN, List.of(Item.SOURCES));
    NEEDED.put(NodeKind.FUNCTION, List.of(Item.FUNCTION_NAME));
    NEEDED.put(NodeKind.TOOL_EXECUTOR, List.of(Item.TOOLS));
  }

  private final Checked graph;

  KindCheck(Checked graph) {
    this.graph = graph;
  }

  void check() {
    for (var node : graph.blueprint.nodes()) {
      var path = "node/" + node.name();
      allowed(node, path);
      foreign(node, path);
      needed(node, path);
      labels(node, path);
    }
  }

  private void allowed(NodeBlueprint node, String path) {
    var kind = node.kind();
    if (graph.policy.kinds().contains(kind)) return;
    graph.report(
        graph.policy.isGenerated()
            ? RagCode.DISALLOWED_GENERATED_CAPABILITY
            : RagCode.DISALLOWED_CAPABILITY,
        path + "/kind",
        "nodes of kind `" + kind.word() + "` are not allowed here",
        "");
  }

  private void foreign(NodeBlueprint node, String path) {
    var kind = node.kind();
    for (var item : node.items().values().keySet()) {
      if (item.fits(kind)) continue;
      var kinds = item.kinds().stream().sorted().map(k -> "`" + k.word() + "`").toList();
      var diagnostic =
          graph.at(
              RagCode.INCOMPATIBLE_ITEM,
              path + "/" + item.word() + "/keyword",
              "a node of kind `" + kind.word() + "` has no `" + item.word() + "`");
      var help = "it belongs to kind " + String.join(", ", kinds);
      if (graph.places().has(path + "/kind")) {
        diagnostic = diagnostic.also(graph.places().find(path + "/kind"), "the kind");
      } else help = "the node has no `kind`, so it is a model; " + help;
      graph.add(diagnostic.help(help));
    }
  }

  private void needed(NodeBlueprint node, String path) {
    for (var item : NEEDED.getOrDefault(node.kind(), List.of())) {
      if (node.items().has(item) || graph.places().has(path + "/" + item.word())) continue;
      graph.report(
          RagCode.MISSING_ITEM,
          path,
          "a node of kind `" + node.kind().word() + "` needs `" + item.word() + "`",
          node.items().has(Item.KIND) ? "" : "a node without a `kind` is a model");
    }
  }

  private void labels(NodeBlueprint node, String path) {
    if (node.routes().isEmpty() || node.router().isPresent()) return;
    if (!node.kind().isLabelled()) {
      graph.report(
          RagCode.MISSING_ROUTER,
          path + "/routes/keyword",
          "a node of kind `" + node.kind().word() + "` ends with no label to choose a route",
          "name a router, as in `router \"by_score\"`");
      return;
    }
    var outcomes = Outcomes.of(node, graph.blueprint);
    if (outcomes.possible().isEmpty()) return;
    var labels = new HashSet<String>();
    for (int i = 0; i < node.routes().size(); i++) {
      var label = node.routes().get(i).chosenBy();
      labels.add(label);
      if (outcomes.possible().contains(label)) continue;
      graph.report(
          RagCode.UNPRODUCED_LABEL,
          path + "/routes/" + i,
          outcomes.none() + " " + Checked.show(label) + ", so the route is never taken",
          Checked.suggestion(label, outcomes.possible()));
    }
    var missing = outcomes.usual().stream().filter(each -> !labels.contains(each)).toList();
    if (missing.isEmpty()) return;
    graph.report(
        RagCode.MISSING_ROUTE,
        path + "/routes/keyword",
        "no route is taken for the "
            + outcomes.noun()
            + " "
            + missing.stream().map(Checked::show).collect(Collectors.joining(", ")),
        outcomes.noun().equals("answer")
            ? "the run fails if somebody gives it; add a route"
            : "the run fails if the node ends so; add a route");
  }
}
