package dev.superstep.cli.text;

import dev.superstep.cli.host.UsageError;
import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintText;
import dev.superstep.language.blueprint.CapabilityUse;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An explanation of a node of a graph as text: what it does, with which items, what it may use,
/// what leads to it and what follows it. Immutable.
///
/// @param place `file:line:column`
/// @param items with the defaults of the graph's nodes
/// @param uses the registered things that it names
/// @param after what leads to it
/// @param before what may follow it; none if it ends its path
public record NodeExplanation(
    String graph,
    String node,
    String place,
    String kind,
    String meaning,
    List<ItemLine> items,
    List<String> uses,
    List<Step> after,
    List<Step> before) {
  /// An item as it is written.
  ///
  /// @param isDefault whether it is set by the defaults of the graph
  public record ItemLine(String item, String value, boolean isDefault) {}

  /// A way between two nodes.
  ///
  /// @param to the other end: a node, START or END
  /// @param how what makes a run take it
  public record Step(String to, String how) {}

  /// Explains a node.
  ///
  /// @throws UsageError if the graph has no such node
  public static NodeExplanation of(Compilation compiled, Blueprint graph, String name) {
    var names = graph.nodes().stream().map(NodeBlueprint::name).toList();
    var node =
        graph
            .node(name)
            .orElseThrow(() -> {
              var nearest = Suggestion.nearest(name, names);
              return new UsageError(
                  "rag.unknown-node",
                  "Graph `%s` has no node `%s`.%s"
                      .formatted(
                          graph.graph(),
                          name,
                          nearest.map(near -> " Did you mean `" + near + "`?").orElse("")));
            });
    return new NodeExplanation(
        graph.graph(),
        name,
        place(compiled, graph, "node/" + name),
        node.kind().word(),
        meaning(node.kind()),
        items(graph, node),
        uses(graph, node),
        leading(graph, name),
        following(graph, node));
  }

  private static String place(Compilation compiled, Blueprint graph, String path) {
    var places = compiled.places().get(graph.graph());
    if (places == null) return compiled.source().name();
    var at = compiled.source().position(places.find(path).start());
    return compiled.source().name() + ":" + at.line() + ":" + at.column();
  }

  private static String meaning(NodeKind kind) {
    return switch (kind) {
      case MODEL -> "calls a model once; runs no tools";
      case AGENT -> "runs an agent: model calls and tool calls until there is an answer";
      case TOOL_EXECUTOR -> "runs the tool calls that are in the state";
      case ROUTER -> "runs nothing; a registered router chooses what follows";
      case SUBGRAPH -> "runs another graph";
      case SUBAGENT -> "runs a registered agent";
      case REPL_AGENT -> "runs a script of the session language";
      case INTERRUPT -> "asks a question; the run waits for the answer, which chooses what follows";
      case HUMAN -> "asks a person; the run waits for the answer, which chooses what follows";
      case JOIN -> "waits for its sources; does nothing itself";
      case FUNCTION -> "runs registered code";
    };
  }

  private static List<ItemLine> items(Blueprint graph, NodeBlueprint node) {
    var lines = new ArrayList<ItemLine>();
    var all = node.items().orElse(graph.nodeDefaults(), Scope.NODE);
    all.values()
        .forEach((item, value) -> {
          boolean isDefault = !node.items().has(item);
          lines.add(new ItemLine(item.word(), BlueprintText.item(item, value), isDefault));
        });
    return lines;
  }

  private static List<String> uses(Blueprint graph, NodeBlueprint node) {
    var items = node.items().orElse(graph.nodeDefaults(), Scope.NODE);
    var alone =
        new Blueprint(
            graph.graph(),
            Items.none(),
            Map.of(),
            List.of(),
            List.of(new NodeBlueprint(node.name(), items)),
            List.of(),
            Optional.empty());
    return CapabilityUse.of(alone).stream().map(CapabilityUse::toString).toList();
  }

  private static List<Step> leading(Blueprint graph, String name) {
    var steps = new ArrayList<Step>();
    steps(new NodeBlueprint("START", graph.start())).stream()
        .filter(step -> step.to().equals(name))
        .forEach(step -> steps.add(new Step("START", step.how())));
    for (var node : graph.nodes()) {
      for (var step : steps(node)) {
        if (step.to().equals(name)) steps.add(new Step(node.name(), step.how()));
      }
      var isSource = node.sources().filter(_ -> node.name().equals(name));
      isSource.ifPresent(sources ->
          sources.nodes().forEach(source -> steps.add(new Step(source, "once all have finished"))));
    }
    for (var edge : graph.edges()) {
      if (!edge.to().equals(name)) continue;
      switch (edge) {
        case Edge.Direct(var from, _) -> steps.add(new Step(from, "always"));
        case Edge.Join join ->
            join.from().forEach(from -> steps.add(new Step(from, BlueprintText.edge(join))));
        case Edge.Trigger(var channels, _) ->
            channels.forEach(
                channel -> steps.add(new Step("channel " + channel, BlueprintText.edge(edge))));
      }
    }
    return steps;
  }

  private static List<Step> following(Blueprint graph, NodeBlueprint node) {
    var steps = new ArrayList<>(steps(node));
    for (var edge : graph.edges()) {
      switch (edge) {
        case Edge.Direct(var from, var to) when from.equals(node.name()) ->
            steps.add(new Step(to, "always"));
        case Edge.Join join when join.from().contains(node.name()) ->
            steps.add(new Step(join.to(), BlueprintText.edge(join)));
        default -> {}
      }
    }
    for (var other : graph.nodes()) {
      if (other.sources().filter(s -> s.nodes().contains(node.name())).isEmpty()) continue;
      steps.add(new Step(other.name(), "once all have finished"));
    }
    return steps;
  }

  /// The ways that items of a node lead to others.
  private static List<Step> steps(NodeBlueprint node) {
    var steps = new ArrayList<Step>();
    for (var to : node.next()) steps.add(new Step(to, "always"));
    for (var route : node.routes()) {
      var how = route.label().isEmpty() ? "if chosen" : "on label `" + route.label() + "`";
      steps.add(new Step(route.to(), how));
    }
    node.command()
        .flatMap(command -> command.target())
        .ifPresent(to -> steps.add(new Step(to, "by its command")));
    for (var send : node.sends()) {
      steps.add(new Step(send.to(), "for each of `" + send.mapping() + "`"));
    }
    node.fanOut()
        .ifPresent(fan ->
            fan.to()
                .forEach(to -> steps.add(new Step(to, "as router `" + fan.router() + "` sends"))));
    for (var to : node.items().texts(Item.DESTINATIONS)) {
      steps.add(new Step(to, "if its code says so"));
    }
    for (var to : node.items().texts(Item.ADDED_DESTINATIONS)) {
      steps.add(new Step(to, "if its code adds it"));
    }
    node.onFailure()
        .flatMap(handling -> handling.to())
        .ifPresent(to -> steps.add(new Step(to, "if it fails for good")));
    return steps;
  }

  /// The explanation for people.
  public String text() {
    var text = new StringBuilder();
    text.append("node %s of graph %s (%s)\n".formatted(node, graph, place));
    text.append("kind ").append(kind).append(": ").append(meaning).append('\n');
    if (!items.isEmpty()) text.append("\nitems\n");
    for (var item : items) {
      var from = item.isDefault() ? "  (default of the graph)" : "";
      var line = (item.item() + " " + item.value()).strip() + from;
      line.lines().forEach(each -> text.append("  ").append(each).append('\n'));
    }
    if (!uses.isEmpty()) text.append("\nuses\n");
    for (var use : uses) text.append("  ").append(use).append('\n');
    text.append("\ncomes after\n");
    steps(text, after, "nothing leads to it");
    text.append("\nthen\n");
    steps(text, before, "its path ends");
    return text.toString();
  }

  private static void steps(StringBuilder text, List<Step> steps, String none) {
    if (steps.isEmpty()) text.append("  ").append(none).append('\n');
    for (var step : steps) {
      text.append("  ").append(step.to()).append("  (").append(step.how()).append(")\n");
    }
  }

  /// The explanation on one line, for programs.
  ///
  /// @param bounds what a run of the graph can take
  public String jsonLine(Json bounds) {
    var text = Json.of(this).text();
    return text.substring(0, text.lastIndexOf('}')) + ",\"bounds\":" + bounds.text() + "}";
  }
}
