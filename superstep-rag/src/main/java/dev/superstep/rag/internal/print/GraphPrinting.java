package dev.superstep.rag.internal.print;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphParts;
import dev.superstep.graph.GraphParts.NodePart;
import dev.superstep.graph.GraphParts.RoutePart;
import dev.superstep.graph.Subgraph;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Scope;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.SendNode;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.value.RegisteredObjects;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.run.CyclePolicy;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Makes blueprints of graphs that were made in Java, the inner ones first asked for last. One
/// thread at a time.
public final class GraphPrinting {
  private final RegisteredObjects names;
  private final List<String> nameless;
  private final Map<String, Blueprint> made = new LinkedHashMap<>();
  private final Map<String, Graph> graphs = new LinkedHashMap<>();

  public GraphPrinting(Registry registry, List<String> nameless) {
    this.names = new RegisteredObjects(registry);
    this.nameless = nameless;
  }

  public List<Blueprint> blueprints() {
    return List.copyOf(made.values());
  }

  /// Adds a graph, and those inside it that are not registered.
  public void add(Graph graph) {
    var parts = graph.parts();
    graphs.put(parts.graph(), graph);
    made.put(parts.graph(), Blueprint.empty(parts.graph()));
    made.put(parts.graph(), blueprint(parts));
  }

  private void missing(String graph, String what) {
    nameless.add("graph `" + graph + "`: " + what);
  }

  private Blueprint blueprint(GraphParts parts) {
    var channels = new ChannelPrinting(names, what -> missing(parts.graph(), what));
    var declared = parts.channels().stream().flatMap(c -> channels.of(c).stream()).toList();
    var nodes = parts.nodes().stream().map(node -> node(parts, node)).toList();
    return new Blueprint(
        parts.graph(), items(parts), Map.of(), declared, nodes, edges(parts), Optional.empty());
  }

  private Items items(GraphParts parts) {
    var items = Items.none();
    var questions = new ArrayList<String>();
    for (var question : parts.questions()) {
      var name = names.name(RagKind.QUESTION, question);
      if (name.isPresent()) questions.add(name.get());
      else missing(parts.graph(), "question `" + question.name() + "` is not registered");
    }
    if (!questions.isEmpty()) items = items.with(Item.QUESTIONS, new Value.Texts(questions));
    if (parts.cycles() != CyclePolicy.ALLOW) {
      var word = parts.cycles().name().toLowerCase(Locale.ROOT);
      items = items.with(Item.CYCLES, new Value.Word(word));
    }
    items = breakpoints(items, parts);
    var defaults = Items.none();
    if (parts.stepLimit().isPresent()) {
      int steps = parts.stepLimit().getAsInt();
      defaults = defaults.with(Item.RECURSION_LIMIT, new Value.Count(steps));
    }
    var node = policy(parts, "defaults", parts.defaults());
    if (!node.isEmpty()) {
      defaults = defaults.with(Item.NODE_DEFAULTS, new Value.Block(Scope.NODE_DEFAULTS, node));
    }
    if (!defaults.isEmpty()) {
      items = items.with(Item.DEFAULTS, new Value.Block(Scope.DEFAULTS, defaults));
    }
    return start(items, parts);
  }

  private static Items breakpoints(Items items, GraphParts parts) {
    var places = parts.breakpoints();
    if (places.isEmpty()) return items;
    var fields = new LinkedHashMap<String, Literal>();
    var before = places.nodes().stream().filter(places::isBefore).map(Literal::of).toList();
    var after = places.nodes().stream().filter(places::isAfter).map(Literal::of).toList();
    if (!before.isEmpty()) fields.put("before", new Literal.Many(before));
    if (!after.isEmpty()) fields.put("after", new Literal.Many(after));
    if (places.isEveryStep()) fields.put("every_step", new Literal.Bool(true));
    return items.with(Item.BREAKPOINTS, new Value.Fields(fields));
  }

  private Items start(Items items, GraphParts parts) {
    var next =
        parts.edges().stream()
            .filter(edge -> edge.kind() == EdgeKind.DIRECT && isFrom(edge, Graph.START))
            .map(edge -> name(edge.to()))
            .toList();
    var inner = choices(Items.none(), parts, Graph.START);
    if (inner.isEmpty()) {
      return next.isEmpty() ? items : items.with(Item.START, new Value.Names(next));
    }
    if (!next.isEmpty()) inner = inner.with(Item.NEXT, new Value.Names(next));
    return items.with(Item.START, new Value.Block(Scope.START, inner));
  }

  private static boolean isFrom(EdgeShape edge, String node) {
    return edge.from().getFirst().equals(node);
  }

  private static String name(String target) {
    return target.equals(Graph.END) ? Edge.END : target;
  }

  private List<Edge> edges(GraphParts parts) {
    var all = new ArrayList<Edge>();
    for (var edge : parts.edges()) {
      if (edge.kind() == EdgeKind.DIRECT && !isFrom(edge, Graph.START)) {
        all.add(new Edge.Direct(edge.from().getFirst(), name(edge.to())));
      } else if (edge.kind() == EdgeKind.JOINED) {
        int needs = edge.needs() == edge.from().size() ? 0 : edge.needs();
        all.add(new Edge.Join(needs, edge.from(), name(edge.to())));
      }
    }
    for (var trigger : parts.triggers()) {
      all.add(new Edge.Trigger(channels(trigger.channels()), trigger.node()));
    }
    return all;
  }

  private static List<String> channels(List<Channel<?, ?>> channels) {
    return channels.stream().map(Channel::name).toList();
  }

  private Items choices(Items to, GraphParts parts, String from) {
    var items = to;
    var routes = parts.routes().stream().filter(route -> route.from().equals(from)).toList();
    if (routes.size() > 1) missing(parts.graph(), shown(from) + " has several routers");
    for (var route : routes) items = route(items, parts, route);
    var sends = parts.sends().stream().filter(sent -> sent.from().equals(from)).toList();
    if (sends.size() > 1) missing(parts.graph(), shown(from) + " sends by several routers");
    for (var sent : sends) {
      var name = names.name(Kind.ROUTER, sent.router());
      if (name.isEmpty()) {
        missing(parts.graph(), "the router that sends after " + shown(from) + " is not registered");
      } else items = items.with(Item.FAN_OUT, new Value.FanOut(name.get(), sent.targets()));
    }
    return items;
  }

  private Items route(Items items, GraphParts parts, RoutePart route) {
    var name = names.name(Kind.ROUTER, route.router());
    if (name.isEmpty()) {
      missing(parts.graph(), "the router after " + shown(route.from()) + " is not registered");
    }
    var routes = new ArrayList<Value.Route>();
    for (int i = 0; i < route.targets().size(); i++) {
      var label = route.labels().isEmpty() ? "" : route.labels().get(i);
      routes.add(new Value.Route(label, name(route.targets().get(i))));
    }
    var with = items.with(Item.ROUTES, new Value.Routes(routes));
    return name.isEmpty()
        ? with
        : with.with(Item.ROUTER_NAME, new Value.Router(name.get(), !route.isOne()));
  }

  private static String shown(String node) {
    return node.equals(Graph.START) ? "START" : "node `" + node + "`";
  }

  private NodeBlueprint node(GraphParts parts, NodePart node) {
    var name = node.name();
    var items = policy(parts, name, node.policy());
    items = code(items, parts, node);
    if (node.target().isPresent()) items = argument(items, parts, node);
    items = choices(items, parts, name);
    items = targets(items, parts, name, EdgeKind.COMMANDED, Item.DESTINATIONS);
    items = targets(items, parts, name, EdgeKind.ADDED, Item.ADDED_DESTINATIONS);
    items = targets(items, parts, name, EdgeKind.HANDED_OFF, Item.HAND_OFFS);
    if (parts.deferred().contains(name)) items = items.with(Item.DEFERRED, new Value.Flag());
    items = listed(items, Item.RUN_WHEN_CHANGED, parts.gates().get(name));
    items = listed(items, Item.READS, parts.reads().get(name));
    items = listed(items, Item.WRITES, parts.writes().get(name));
    return new NodeBlueprint(name, items);
  }

  private static Items listed(
      Items items, Item item, @org.jspecify.annotations.Nullable List<Channel<?, ?>> channels) {
    return channels == null ? items : items.with(item, new Value.Names(channels(channels)));
  }

  private static Items targets(
      Items items, GraphParts parts, String from, EdgeKind kind, Item item) {
    var to =
        parts.edges().stream()
            .filter(edge -> edge.kind() == kind && isFrom(edge, from))
            .map(edge -> name(edge.to()))
            .toList();
    return to.isEmpty() ? items : items.with(item, new Value.Names(to));
  }

  private Items argument(Items items, GraphParts parts, NodePart node) {
    var codec = node.target().orElseThrow().codec();
    if (codec.type().equals(Failure.class.getSimpleName()) && isHandler(parts, node.name())) {
      return items;
    }
    var type = names.type(codec);
    if (type.isPresent()) return items.with(Item.ARGUMENT, new Value.Type(type.get()));
    missing(
        parts.graph(),
        "the type `%s` of what node `%s` is sent is not registered"
            .formatted(codec.type(), node.name()));
    return items;
  }

  private static boolean isHandler(GraphParts parts, String name) {
    var policies = new ArrayList<GraphParts.PolicyPart>();
    policies.add(parts.defaults());
    parts.nodes().forEach(node -> policies.add(node.policy()));
    return policies.stream()
        .flatMap(policy -> policy.onFailure().stream())
        .anyMatch(then ->
            then instanceof dev.superstep.node.OnFailure.Route(var handler, _)
                && handler.name().equals(name));
  }

  private Items code(Items items, GraphParts parts, NodePart node) {
    return switch (node.code()) {
      case Subgraph<?> subgraph -> subgraph(items, parts, node.name(), subgraph);
      case SendNode<?> code -> function(items, parts, node, RagKind.SEND_FUNCTION, code);
      default -> function(items, parts, node, RagKind.FUNCTION, node.code());
    };
  }

  private Items function(Items items, GraphParts parts, NodePart node, Kind<?> kind, Object code) {
    var with = items.with(Item.KIND, new Value.Word("function"));
    var name = names.name(kind, code);
    if (name.isPresent()) return with.with(Item.FUNCTION_NAME, new Value.Text(name.get()));
    missing(parts.graph(), "the code of node `" + node.name() + "` is not registered");
    return with;
  }

  private Items subgraph(Items items, GraphParts parts, String node, Subgraph<?> subgraph) {
    var with = items.with(Item.KIND, new Value.Word("subgraph"));
    if (!subgraph.isShared()) {
      missing(parts.graph(), "the functions around the graph of node `" + node + "` have no name");
    }
    if (subgraph.isRemembering()) with = with.with(Item.REMEMBERING, new Value.Flag());
    if (!subgraph.isSaved()) with = with.with(Item.CHECKPOINT, new Value.Word("disabled"));
    var graph = subgraph.graph();
    var registered = names.name(Kind.GRAPH, graph);
    if (registered.isPresent()) {
      return with.with(Item.GRAPH_NAME, new Value.Text(registered.get()));
    }
    var known = graphs.get(graph.name());
    if (known == null) add(graph);
    else if (!known.topology().equals(graph.topology())) {
      missing(parts.graph(), "there are two graphs named `" + graph.name() + "`");
    }
    return with.with(Item.GRAPH_NAME, new Value.Text(graph.name()));
  }

  private Items policy(GraphParts parts, String node, GraphParts.PolicyPart policy) {
    return new PolicyPrinting(what -> missing(parts.graph(), "node `" + node + "`: " + what))
        .of(policy);
  }

  /// Components for the code and the routers of a graph that are not registered.
  public static List<Component<?>> components(Graph graph, Registry registry, String namespace) {
    var names = new RegisteredObjects(registry);
    var all = new ArrayList<Component<?>>();
    var parts = graph.parts();
    for (var node : parts.nodes()) {
      var name = namespace + "/" + snake(node.name());
      switch (node.code()) {
        case Subgraph<?> _ -> {}
        case SendNode<?> code -> {
          if (names.name(RagKind.SEND_FUNCTION, code).isEmpty()) {
            all.add(Component.of(RagKind.SEND_FUNCTION, name, code));
          }
        }
        case Node code -> {
          if (names.name(RagKind.FUNCTION, code).isEmpty()) {
            all.add(Component.of(RagKind.FUNCTION, name, code));
          }
        }
        default -> {}
      }
    }
    for (var route : parts.routes()) {
      if (names.name(Kind.ROUTER, route.router()).isPresent()) continue;
      var name = namespace + "/after_" + snake(route.from());
      all.add(Component.of(Kind.ROUTER, name, route.router()));
    }
    for (var sent : parts.sends()) {
      if (names.name(Kind.ROUTER, sent.router()).isPresent()) continue;
      var name = namespace + "/sends_of_" + snake(sent.from());
      all.add(Component.of(Kind.ROUTER, name, sent.router()));
    }
    for (var channel : parts.channels()) {
      if (names.name(RagKind.CHANNEL, channel).isPresent()) continue;
      all.add(Component.of(RagKind.CHANNEL, namespace + "/" + snake(channel.name()), channel));
    }
    for (var question : parts.questions()) {
      if (names.name(RagKind.QUESTION, question).isPresent()) continue;
      all.add(Component.of(RagKind.QUESTION, namespace + "/" + snake(question.name()), question));
    }
    return all;
  }

  /// A name in snake case, as registries want it.
  public static String snake(String name) {
    var snake =
        name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "_")
            .replaceAll("^_+|_+$", "");
    return snake.isEmpty() || Character.isDigit(snake.charAt(0)) ? "x" + snake : snake;
  }
}
