package dev.superstep.language.check;

import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.RagCode;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;

/// Checks that nodes, channels and placeholders that a graph names are there.
final class TargetCheck {
  private static final Pattern PLACEHOLDER = Pattern.compile("(\\{\\{)|\\{([A-Za-z_]\\w{0,199})}");
  private static final List<Item> CHANNELS =
      List.of(Item.READS, Item.WRITES, Item.RUN_WHEN_CHANGED);
  private static final List<Item> LEADING =
      List.of(Item.NEXT, Item.DESTINATIONS, Item.ADDED_DESTINATIONS, Item.HAND_OFFS);

  private final Checked graph;

  TargetCheck(Checked graph) {
    this.graph = graph;
  }

  void check() {
    start();
    outputs();
    breakpoints();
    policies("graph/defaults/node", graph.blueprint.nodeDefaults());
    for (var node : graph.blueprint.nodes()) node(node);
    edges();
    sourcesOfNodes();
  }

  private void start() {
    var places = graph.places();
    if (!graph.blueprint.items().has(Item.START)) {
      boolean isTriggered =
          graph.blueprint.edges().stream().anyMatch(edge -> edge instanceof Edge.Trigger);
      if (isTriggered || places.has("graph/start/keyword")) return;
      graph.report(
          RagCode.MISSING_START,
          "graph",
          "graph " + Checked.show(graph.blueprint.graph()) + " has no `start`",
          graph.blueprint.nodes().isEmpty()
              ? "add a node, and `start` with its name"
              : "add `start " + graph.blueprint.nodes().getFirst().name() + "`");
      return;
    }
    var isBlock = graph.blueprint.items().find(Item.START).orElseThrow() instanceof Value.Block;
    if (isBlock) {
      leading("graph/start", graph.blueprint.start());
      return;
    }
    var targets = graph.blueprint.start().texts(Item.NEXT);
    for (int i = 0; i < targets.size(); i++) started("graph/start/" + i, targets.get(i));
  }

  private void started(String path, String target) {
    if (graph.target(path, target, RagCode.UNKNOWN_NODE) && target.equals(Edge.END)) {
      graph.report(RagCode.INVALID_TARGET, path, "a graph cannot begin at END", "name a node");
    }
  }

  private void outputs() {
    for (var field : graph.blueprint.output()) {
      graph.slot("graph/output/" + field.name(), field.name());
    }
  }

  private void breakpoints() {
    var fields = graph.blueprint.items().fields(Item.BREAKPOINTS);
    for (var key : List.of("before", "after")) {
      if (!(fields.get(key) instanceof Literal.Many(var names))) continue;
      for (int i = 0; i < names.size(); i++) {
        graph.node("graph/breakpoints/" + key + "/" + i, name(names.get(i)));
      }
    }
  }

  static String name(Literal literal) {
    return switch (literal) {
      case Literal.Word(var word) -> word;
      case Literal.Text(var text) -> text;
      default -> "";
    };
  }

  private void node(NodeBlueprint node) {
    var path = "node/" + node.name();
    leading(path, node.items());
    policies(path, node.items());
    node.into().ifPresent(channel -> graph.slot(path + "/into", channel));
    for (var item : CHANNELS) {
      var names = node.items().texts(item);
      for (int i = 0; i < names.size(); i++) {
        graph.slot(path + "/" + item.word() + "/" + i, names.get(i));
      }
    }
    node.system().ifPresent(prompt -> placeholders(path + "/system", prompt));
    node.prompt().ifPresent(prompt -> placeholders(path + "/prompt", prompt));
    node.command()
        .ifPresent(command -> {
          command
              .target()
              .ifPresent(to -> graph.target(path + "/command/goto", to, RagCode.UNKNOWN_NODE));
          for (var channel : command.update().keySet()) {
            graph.slot(path + "/command/update/" + channel, channel);
          }
        });
    node.sources()
        .ifPresent(sources -> {
          for (int i = 0; i < sources.nodes().size(); i++) {
            graph.node(path + "/sources/" + i, sources.nodes().get(i));
          }
        });
  }

  /// Checks what leads from a node, or from START.
  private void leading(String path, Items items) {
    for (var item : LEADING) {
      var names = items.texts(item);
      for (int i = 0; i < names.size(); i++) {
        graph.target(path + "/" + item.word() + "/" + i, names.get(i), RagCode.UNKNOWN_NODE);
      }
    }
    items
        .find(Item.ROUTES, Value.Routes.class)
        .ifPresent(routes -> {
          for (int i = 0; i < routes.routes().size(); i++) {
            var to = path + "/routes/" + i + "/to";
            graph.target(to, routes.routes().get(i).to(), RagCode.UNKNOWN_ROUTE_TARGET);
          }
        });
    items
        .find(Item.SENDS, Value.Sends.class)
        .ifPresent(sends -> {
          for (int i = 0; i < sends.sends().size(); i++) {
            sent(path + "/sends/" + i, sends.sends().get(i).to());
          }
        });
    items
        .find(Item.FAN_OUT, Value.FanOut.class)
        .ifPresent(fan -> {
          for (int i = 0; i < fan.to().size(); i++) sent(path + "/fan_out/" + i, fan.to().get(i));
        });
  }

  private void sent(String path, String target) {
    if (!graph.target(path, target, RagCode.UNKNOWN_NODE)) return;
    if (!target.equals(Edge.END)) return;
    graph.report(RagCode.SEND_TO_END, path, "nothing can be sent to END", "name a node");
  }

  private void policies(String path, Items items) {
    items
        .find(Item.ON_FAILURE, Value.OnFailure.class)
        .ifPresent(handling -> {
          var at = path + "/on_failure";
          handling.to().ifPresent(to -> sent(at + "/to", to));
          handling.record().ifPresent(channel -> graph.slot(at + "/record", channel));
          for (var channel : handling.update().keySet())
            graph.slot(at + "/update/" + channel, channel);
        });
    if (items.fields(Item.CACHE).get("by") instanceof Literal.Many(var channels)) {
      for (int i = 0; i < channels.size(); i++) {
        graph.slot(path + "/cache/by/" + i, name(channels.get(i)));
      }
    }
  }

  private void placeholders(String path, Value.Prompt prompt) {
    if (prompt.isTemplate() || prompt.text().indexOf('{') < 0) return;
    var found = PLACEHOLDER.matcher(prompt.text());
    while (found.find()) {
      var name = found.group(2);
      if (name == null || graph.slots().contains(name)) continue;
      var near = Checked.suggestion(name, graph.slots());
      graph.add(
          RagCode.UNKNOWN_PLACEHOLDER
              .at(
                  graph.inside(path, found.group()),
                  "`{" + name + "}` names no channel, so it stays as it is")
              .help(near.isEmpty() ? "write `{{" + name + "}` if that is meant" : near));
    }
  }

  private void edges() {
    var seen = new HashMap<Edge, Integer>();
    var edges = graph.blueprint.edges();
    for (int i = 0; i < edges.size(); i++) {
      var path = "edge/" + i;
      var before = seen.putIfAbsent(edges.get(i), i);
      if (before != null) {
        graph.add(
            graph
                .at(RagCode.DUPLICATE_EDGE, path, "this is there twice")
                .also(graph.places().find("edge/" + before), "first here")
                .help("remove one"));
        continue;
      }
      graph.target(path + "/to", edges.get(i).to(), RagCode.UNKNOWN_NODE);
      switch (edges.get(i)) {
        case Edge.Direct(var from, _) -> graph.node(path + "/from", from);
        case Edge.Join join -> join(path, join);
        case Edge.Trigger trigger -> trigger(path, trigger);
      }
    }
  }

  private void join(String path, Edge.Join join) {
    for (int k = 0; k < join.from().size(); k++)
      graph.node(path + "/from/" + k, join.from().get(k));
    size(path, join.needs(), join.from().size());
  }

  /// Checks that a join has two sources or more, and does not need more than it has.
  private void size(String path, int needs, int sources) {
    if (sources < 2) {
      graph.report(
          RagCode.INVALID_JOIN, path, "a join needs at least two sources", "use an edge for one");
    } else if (needs > sources) {
      graph.report(
          RagCode.INVALID_JOIN,
          path,
          "a join cannot wait for " + needs + " of " + sources + " sources",
          "lower the number");
    }
  }

  private void sourcesOfNodes() {
    for (var node : graph.blueprint.nodes()) {
      node.sources()
          .ifPresent(sources ->
              size("node/" + node.name() + "/sources", sources.needs(), sources.nodes().size()));
    }
  }

  private void trigger(String path, Edge.Trigger trigger) {
    if (trigger.channels().isEmpty()) {
      graph.report(RagCode.INVALID_TRIGGER, path, "a trigger needs a channel", "name a token");
    }
    if (trigger.to().equals(Edge.END)) {
      graph.report(RagCode.INVALID_TARGET, path + "/to", "a trigger runs a node, not END", "");
    }
    for (int k = 0; k < trigger.channels().size(); k++) {
      var name = trigger.channels().get(k);
      var at = path + "/from/" + k;
      if (!graph.slot(at, name)) continue;
      var channel = graph.channels().get(name);
      var reducer = channel == null ? "overwrite" : channel.reducer();
      if (List.of("token", "barrier", "named_barrier").contains(reducer)) continue;
      graph.report(
          RagCode.INVALID_TRIGGER,
          at,
          "channel " + Checked.show(name) + " is `" + reducer + "` and holds no token",
          "declare it as `token`, `barrier` or `named_barrier`");
    }
  }
}
