package dev.superstep.rag.internal.binding;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Router;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.error.MissingRoute;
import dev.superstep.rag.error.RagError;
import dev.superstep.rag.internal.node.NodeEnd;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.registry.Kind;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Adds what follows what to the builder of a graph.
public final class Routing {
  private final Scene scene;
  private final Blueprint blueprint;
  private final Map<String, Target<Object>> targets;
  private final Map<String, NodeEnd> ends;
  private final GraphBuilder builder;
  private final boolean isTriggered;
  private final Set<String> followed;
  private final Set<String> timed;

  /// @param targets the nodes that are sent arguments
  /// @param ends what the results of nodes lead to
  public Routing(
      Scene scene,
      Map<String, Target<Object>> targets,
      Map<String, NodeEnd> ends,
      GraphBuilder builder) {
    this.scene = scene;
    this.blueprint = scene.blueprint();
    this.targets = targets;
    this.ends = ends;
    this.builder = builder;
    this.isTriggered = blueprint.edges().stream().anyMatch(edge -> edge instanceof Edge.Trigger);
    this.followed = followed(blueprint);
    this.timed = timed(blueprint);
  }

  /// The nodes that an edge or a join begins at. Found once: a graph may have thousands.
  private static Set<String> followed(Blueprint blueprint) {
    var all = new HashSet<String>();
    for (var edge : blueprint.edges()) {
      switch (edge) {
        case Edge.Direct(var from, _) -> all.add(from);
        case Edge.Join(_, var from, _) -> all.addAll(from);
        case Edge.Trigger _ -> {}
      }
    }
    for (var node : blueprint.nodes()) {
      node.sources().ifPresent(sources -> all.addAll(sources.nodes()));
    }
    return all;
  }

  /// The sources of joins that have a timeout.
  private static Set<String> timed(Blueprint blueprint) {
    var all = new HashSet<String>();
    for (var node : blueprint.nodes()) {
      if (!node.items().has(Item.TIMEOUT)) continue;
      node.sources().ifPresent(sources -> all.addAll(sources.nodes()));
    }
    return all;
  }

  public void add() {
    start(blueprint.start());
    // Edges first: that is the order in which graphs are printed, and part of their identity.
    for (var edge : blueprint.edges()) edge(edge);
    for (var node : blueprint.nodes()) node(node);
  }

  private void start(Items start) {
    start.texts(Item.NEXT).forEach(node -> builder.edge(Graph.START, Scene.target(node)));
    choice(
        Graph.START,
        start.find(Item.ROUTER_NAME, Value.Router.class),
        start.find(Item.ROUTES, Value.Routes.class).map(Value.Routes::routes).orElse(List.of()));
    sends(
        Graph.START,
        start.find(Item.SENDS, Value.Sends.class).map(Value.Sends::sends).orElse(List.of()),
        start.find(Item.FAN_OUT, Value.FanOut.class));
  }

  private void node(NodeBlueprint node) {
    var name = node.name();
    var items = node.items();
    if (!items.has(Item.TIMEOUT)) {
      node.sources().ifPresent(sources -> join(sources.needs(), sources.nodes(), name));
    }
    node.next().forEach(to -> builder.edge(name, Scene.target(to)));
    choice(name, node.router(), node.router().isPresent() ? node.routes() : List.of());
    sends(name, node.sends(), node.fanOut());
    commands(node);
    items.texts(Item.DESTINATIONS).forEach(to -> destinations(name, false, Scene.target(to)));
    items
        .texts(Item.ADDED_DESTINATIONS)
        .forEach(to -> builder.additiveDestinations(name, Scene.target(to)));
    items.texts(Item.HAND_OFFS).forEach(to -> builder.handOffs(name, Scene.target(to)));
    if (node.isDeferred()) builder.deferred(name);
    if (items.has(Item.RUN_WHEN_CHANGED)) {
      builder.runWhenChanged(name, channels(items.texts(Item.RUN_WHEN_CHANGED)));
    }
    if (items.has(Item.READS)) builder.reads(name, access(items.texts(Item.READS)));
    if (items.has(Item.WRITES)) builder.writes(name, access(items.texts(Item.WRITES)));
    if (isTerminal(node)) builder.edge(name, Graph.END);
  }

  /// The commands that the text itself makes of the results of a node.
  private void commands(NodeBlueprint node) {
    var end = ends.get(node.name());
    if (end == null || !end.commands()) return;
    Set<String> to = new LinkedHashSet<>(end.routes().values());
    end.target().ifPresent(to::add);
    var all = to.toArray(String[]::new);
    boolean isBesideSends = !node.sends().isEmpty() || node.fanOut().isPresent();
    boolean isBesideEdges = isBesideSends || node.items().has(Item.ADDED_DESTINATIONS);
    destinations(node.name(), isBesideEdges, all);
  }

  /// @param isBesideEdges whether the node follows its edges beside its commands, as a source of a
  ///   join with a timeout does
  private void destinations(String name, boolean isBesideEdges, String... to) {
    if (isBesideEdges || timed.contains(name)) builder.additiveDestinations(name, to);
    else builder.destinations(name, to);
  }

  private Channel<?, ?>[] channels(List<String> names) {
    return names.stream().map(scene::channel).toArray(Channel<?, ?>[]::new);
  }

  /// The declared channels, and those that the graph itself uses in nodes of models.
  private Channel<?, ?>[] access(List<String> names) {
    var all = new ArrayList<Channel<?, ?>>(List.of(channels(names)));
    all.addAll(scene.meter().channels());
    return all.toArray(Channel<?, ?>[]::new);
  }

  /// Returns whether nothing follows a node, so that its path ends. What nodes write leads on where
  /// there are triggers.
  private boolean isTerminal(NodeBlueprint node) {
    if (isTriggered || followed.contains(node.name())) return false;
    return node.targets().stream().allMatch(to -> handsOff(node, to));
  }

  private static boolean handsOff(NodeBlueprint node, String to) {
    return node.items().texts(Item.HAND_OFFS).contains(to) && !node.next().contains(to);
  }

  private void edge(Edge edge) {
    switch (edge) {
      case Edge.Direct(var from, var to) -> builder.edge(from, Scene.target(to));
      case Edge.Join(var needs, var from, var to) -> join(needs, from, Scene.target(to));
      case Edge.Trigger(var names, var to) -> builder.trigger(to, channels(names));
    }
  }

  private void join(int needs, List<String> from, String to) {
    var policy =
        switch (needs) {
          case 0 -> JoinPolicy.all();
          case 1 -> JoinPolicy.any();
          default -> JoinPolicy.atLeast(needs);
        };
    builder.join(policy, from, to);
  }

  private void choice(String from, Optional<Value.Router> named, List<Value.Route> routes) {
    if (named.isEmpty()) return;
    var router = scene.component(Kind.ROUTER, named.get().name());
    var byLabel = new LinkedHashMap<String, String>();
    for (var route : routes) byLabel.put(route.chosenBy(), Scene.target(route.to()));
    boolean isPlain = routes.stream().allMatch(route -> route.label().isEmpty());
    var names = byLabel.values().toArray(String[]::new);
    if (named.get().isMany()) {
      Router<List<String>> many = state -> labels(from, router.route(state), byLabel);
      if (isPlain) builder.routeMany(from, targeting(many), names);
      else builder.routeMany(from, many, byLabel);
    } else {
      Router<String> one = state -> label(from, router.route(state), byLabel);
      if (isPlain) builder.route(from, state -> Scene.target(one.route(state)), names);
      else builder.route(from, one, byLabel);
    }
  }

  private static Router<List<String>> targeting(Router<List<String>> many) {
    return state -> many.route(state).stream().map(Scene::target).toList();
  }

  private static List<String> labels(String from, Object chosen, Map<String, String> routes) {
    if (!(chosen instanceof Collection<?> all)) return List.of(label(from, chosen, routes));
    return all.stream().map(each -> label(from, each, routes)).toList();
  }

  private static String label(String from, Object chosen, Map<String, String> routes) {
    var label =
        switch (chosen) {
          case Enum<?> constant -> constant.name();
          case Json json -> JsonFields.plain(json);
          default -> String.valueOf(chosen);
        };
    if (label.equals(Graph.END)) label = Edge.END;
    if (routes.containsKey(label)) return label;
    throw new MissingRoute(from.equals(Graph.START) ? "START" : from, label, routes.keySet());
  }

  /// Adds the sends of a node, those of its mappings before those of its registered router.
  private void sends(String from, List<Value.Send> sends, Optional<Value.FanOut> fan) {
    if (sends.isEmpty() && fan.isEmpty()) return;
    var mappings = new ArrayList<Mapping>();
    for (var send : sends) mappings.add(scene.component(RagKind.MAPPING, send.mapping()));
    var router = fan.map(each -> scene.component(Kind.ROUTER, each.router()));
    var names = new LinkedHashSet<String>();
    sends.forEach(send -> names.add(send.to()));
    fan.ifPresent(each -> names.addAll(each.to()));
    var to = names.stream().map(targets::get).toArray(Target<?>[]::new);
    builder.fanOut(
        from,
        state -> {
          if (mappings.isEmpty() && router.isPresent()) return sent(router.get(), state);
          var all = new ArrayList<Send<?>>();
          for (int i = 0; i < sends.size(); i++) {
            var target = Objects.requireNonNull(targets.get(sends.get(i).to()));
            for (var each : arguments(mappings.get(i).of(state))) all.add(send(target, each));
          }
          router.ifPresent(each -> all.addAll(sent(each, state)));
          return all;
        },
        to);
  }

  private static Collection<?> arguments(Object made) {
    if (made instanceof Collection<?> all) return all;
    if (made instanceof Json json && json.isList()) {
      return dev.superstep.json.Codec.listOf(Json.class).decode(json);
    }
    return List.of(made);
  }

  private static Send<Object> send(Target<Object> target, Object argument) {
    return Send.to(target, fitted(target, argument));
  }

  /// An argument of the type of the target: itself if it is, else by way of JSON.
  private static Object fitted(Target<Object> target, Object argument) {
    var own = target.codec().type();
    if (own.equals(argument.getClass().getSimpleName())) return argument;
    return target.codec().decode(argument instanceof Json json ? json : Json.of(argument));
  }

  private List<Send<?>> sent(Router<?> router, State state) {
    var chosen = router.route(state);
    if (!(chosen instanceof Collection<?> all)) {
      throw new RagError("rag.router-result", "a router of `fan_out` returns a list of sends");
    }
    var sends = new ArrayList<Send<?>>(all.size());
    for (var each : all) {
      if (!(each instanceof Send<?> send)) {
        throw new RagError("rag.router-result", "a router of `fan_out` returns sends only");
      }
      var target = targets.get(send.target().name());
      if (target == null || target.equals(send.target())) sends.add(send);
      else sends.add(retargeted(target, send));
    }
    return sends;
  }

  /// A send of registered code to a target of the text, with the same limit of time.
  private static Send<Object> retargeted(Target<Object> target, Send<?> send) {
    var made = send(target, send.argument());
    return send.timeout().map(made::timeout).orElse(made);
  }
}
