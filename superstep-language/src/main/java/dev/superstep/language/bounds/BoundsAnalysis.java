package dev.superstep.language.bounds;

import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.check.Places;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Scope;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Adds up what the nodes of a graph can take. One thread at a time.
final class BoundsAnalysis {
  private static final int AGENT_CALLS = 25;
  private static final int AGENT_TOOL_CALLS = 50;

  /// The calls for an answer of a registered type: one, a repair, and pauses that a vendor may
  /// make.
  private static final int TYPED_CALLS = 18;

  private static final Set<String> PLAIN = Set.of("text", "int", "decimal", "bool", "json");

  private final Map<String, Blueprint> graphs = new HashMap<>();
  private final Map<String, Places> places;
  private final ComponentFacts facts;
  private final Map<String, Sums> known = new HashMap<>();
  private final Set<String> underWay = new HashSet<>();

  BoundsAnalysis(List<Blueprint> graphs, Map<String, Places> places, ComponentFacts facts) {
    for (var graph : graphs) this.graphs.put(graph.graph(), graph);
    this.places = places;
    this.facts = facts;
  }

  Bounds of(String name) {
    var graph = graphs.get(name);
    if (graph == null) throw new IllegalArgumentException("there is no graph `" + name + "`");
    return new Bounds(name, graph(graph).all());
  }

  private Function<String, Span> places(Blueprint graph) {
    var own = places.get(graph.graph());
    if (own != null) return own::find;
    var spans = graph.provenance().map(from -> from.spans()).orElse(Map.of());
    return path -> {
      var parts = path.split("/", -1);
      var outline = parts.length > 1 ? parts[0] + "/" + parts[1] : path;
      return spans.getOrDefault(outline, spans.getOrDefault("graph", Span.BEGINNING));
    };
  }

  /// The sums of a graph.
  ///
  /// @param executors the tool calls of its executors, which share the limit of the graph
  /// @param others the tool calls of its agents, which have limits of their own
  private record Sums(Map<Measure, Bound> all, Bound executors, Bound others) {
    /// Holds the sums within the limits of the graph, as far as these are enforced when it runs.
    Sums within(Limits limits) {
      var held = new EnumMap<Measure, Bound>(all);
      for (var measure :
          List.of(Measure.MODEL_CALLS, Measure.TOKENS, Measure.COST, Measure.TASKS)) {
        limits
            .find(measure)
            .ifPresent(most -> held.computeIfPresent(measure, (_, b) -> b.atMost(most)));
      }
      var executed = limits.find(Measure.TOOL_CALLS).map(executors::atMost).orElse(executors);
      held.put(Measure.TOOL_CALLS, executed.plus(others));
      return new Sums(held, executed, others);
    }
  }

  /// The sums of a graph to which a model is given.
  private Sums graph(Blueprint graph, String model) {
    return sums(graph.withModel(model), graph.graph() + "\n" + model);
  }

  private Sums graph(Blueprint graph) {
    return sums(graph, graph.graph());
  }

  private Sums sums(Blueprint graph, String key) {
    var before = known.get(key);
    if (before != null) return before;
    var at = places(graph);
    if (!underWay.add(graph.graph())) {
      var all = all("graph `" + graph.graph() + "` is inside itself", at.apply("graph"));
      return new Sums(all, Bound.of(0), all.getOrDefault(Measure.TOOL_CALLS, Bound.of(0)));
    }
    var sum = none();
    var executors = Bound.of(0);
    var others = Bound.of(0);
    for (var entry : new NodeRuns(graph, at, handsOff(graph)).all().entrySet()) {
      var node = graph.node(entry.getKey());
      if (node.isEmpty()) continue;
      var often = entry.getValue();
      var one = node(graph, node.get(), at);
      for (var measure : Measure.values()) {
        var own = one.all().getOrDefault(measure, Bound.of(0));
        var isDepth = measure == Measure.DEPTH;
        sum.merge(measure, isDepth ? own : own.times(often), isDepth ? Bound::or : Bound::plus);
      }
      executors = executors.plus(one.executors().times(often));
      others = others.plus(one.others().times(often));
    }
    underWay.remove(graph.graph());
    var made = new Sums(sum, executors, others).within(Limits.of(graph.items()));
    known.put(key, made);
    return made;
  }

  private static Map<Measure, Bound> none() {
    var none = new EnumMap<Measure, Bound>(Measure.class);
    for (var measure : Measure.values()) none.put(measure, Bound.of(0));
    return none;
  }

  private static Map<Measure, Bound> all(String why, Span span) {
    var all = new EnumMap<Measure, Bound>(Measure.class);
    for (var measure : Measure.values()) all.put(measure, Bound.unbounded(why, span));
    return all;
  }

  /// Returns whether a node may hand off to the graph around, or do what nobody here knows.
  private boolean handsOff(Blueprint graph) {
    return graph.nodes().stream()
        .flatMap(node -> node.graph().stream())
        .map(graphs::get)
        .anyMatch(inner ->
            inner == null || inner.nodes().stream().anyMatch(n -> n.items().has(Item.HAND_OFFS)));
  }

  /// The most that one run of a node takes.
  private Sums node(Blueprint graph, NodeBlueprint node, Function<String, Span> at) {
    var inner = node.kind() == NodeKind.SUBGRAPH ? graphs.get(node.graph().orElse("")) : null;
    if (inner != null) {
      var sums = node.model().isPresent() ? graph(inner, node.model().get()) : graph(inner);
      return split(node, graph, new EnumMap<>(sums.all()), sums.executors(), sums.others());
    }
    var one = alone(graph, node, at);
    var calls = one.getOrDefault(Measure.TOOL_CALLS, Bound.of(0));
    boolean isExecutor = node.kind() == NodeKind.TOOL_EXECUTOR;
    return split(
        node, graph, one, isExecutor ? calls : Bound.of(0), isExecutor ? Bound.of(0) : calls);
  }

  /// Adds the task itself, and the attempts at it.
  private static Sums split(
      NodeBlueprint node, Blueprint graph, Map<Measure, Bound> one, Bound executors, Bound others) {
    var policy = node.items().orElse(graph.nodeDefaults(), Scope.NODE);
    var retry = new NodeBlueprint(node.name(), policy).retry();
    var often = Bound.of(retry.isPresent() ? retry.get().attempts() : 1);
    one.replaceAll((m, b) -> m == Measure.DEPTH || m == Measure.TASKS ? b : b.times(often));
    one.merge(Measure.TASKS, Bound.of(1), Bound::plus);
    return new Sums(one, executors.times(often), others.times(often));
  }

  private Map<Measure, Bound> alone(
      Blueprint graph, NodeBlueprint node, Function<String, Span> at) {
    var path = "node/" + node.name();
    var one =
        switch (node.kind()) {
          case MODEL -> model(node, at);
          case AGENT -> agent(graph, node, at);
          case SUBAGENT -> subagent(node, at);
          case SUBGRAPH ->
              all(
                  "graph `" + node.graph().orElse("") + "` is registered code",
                  at.apply(path + "/graph"));
          case TOOL_EXECUTOR -> {
            var calls = none();
            calls.put(
                Measure.TOOL_CALLS,
                Bound.unbounded(
                    "node `" + node.name() + "` makes as many calls as its model asks for",
                    at.apply(path)));
            yield calls;
          }
          case REPL_AGENT ->
              all(
                  "node `" + node.name() + "` runs what its model writes",
                  at.apply(path + "/kind"));
          case ROUTER, INTERRUPT, HUMAN, JOIN, FUNCTION -> none();
        };
    if (!node.middleware().isEmpty()) {
      var why = "middleware of node `" + node.name() + "` may call models";
      for (var measure : List.of(Measure.MODEL_CALLS, Measure.TOKENS, Measure.COST)) {
        one.merge(measure, Bound.unbounded(why, at.apply(path + "/middleware")), Bound::plus);
      }
    }
    return one;
  }

  private Map<Measure, Bound> model(NodeBlueprint node, Function<String, Span> at) {
    var answer =
        node.answer().map(type -> type.element().isPresent() || PLAIN.contains(type.name()));
    var calls = Bound.of(answer.orElse(true) ? 1 : TYPED_CALLS);
    var own = Limits.of(node.items());
    return asked(node, at, limited(calls, own, Measure.MODEL_CALLS), own);
  }

  private static Bound limited(Bound bound, Limits limits, Measure measure) {
    return limits.find(measure).map(bound::atMost).orElse(bound);
  }

  /// The tokens and the money of calls.
  private Map<Measure, Bound> asked(
      NodeBlueprint node, Function<String, Span> at, Bound calls, Limits limits) {
    var all = none();
    all.put(Measure.MODEL_CALLS, calls);
    var name = node.model().orElse("");
    var place = at.apply("node/" + node.name() + "/model");
    var window = facts.tokens(name);
    var tokens =
        window.isPresent()
            ? Bound.of(window.getAsLong())
            : Bound.unbounded("the context window of model `" + name + "` is not known", place);
    var price = facts.cost(name);
    var cost =
        price
            .<Bound>map(Bound.AtMost::new)
            .orElseGet(
                () -> Bound.unbounded("the cost of model `" + name + "` is not known", place));
    all.put(Measure.TOKENS, limited(tokens.times(calls), limits, Measure.TOKENS));
    all.put(Measure.COST, limited(cost.times(calls), limits, Measure.COST));
    return all;
  }

  private Map<Measure, Bound> agent(
      Blueprint graph, NodeBlueprint node, Function<String, Span> at) {
    var own = Limits.of(node.items()).narrowed(Limits.of(graph.items()));
    var calls = own.find(Measure.MODEL_CALLS).orElse(BigDecimal.valueOf(AGENT_CALLS));
    var all = asked(node, at, new Bound.AtMost(calls.max(BigDecimal.ONE)), Limits.of(node.items()));
    var toolCalls = own.find(Measure.TOOL_CALLS).orElse(BigDecimal.valueOf(AGENT_TOOL_CALLS));
    if (!node.tools().isEmpty()) all.put(Measure.TOOL_CALLS, new Bound.AtMost(toolCalls));
    all.put(Measure.DEPTH, Bound.of(1));
    return all;
  }

  private Map<Measure, Bound> subagent(NodeBlueprint node, Function<String, Span> at) {
    var name = node.agent().orElse("");
    var limits = facts.agent(name);
    var place = at.apply("node/" + node.name() + "/agent");
    var all = all("nothing is known of agent `" + name + "`", place);
    limits.ifPresent(known -> all.replaceAll((measure, bound) -> limited(bound, known, measure)));
    var own = Limits.of(node.items());
    all.replaceAll((measure, bound) -> {
      // Agents that it calls have limits of their own on tools.
      boolean isHeld =
          switch (measure) {
            case MODEL_CALLS, TOKENS, COST -> true;
            case TOOL_CALLS, DEPTH -> bound instanceof Bound.AtMost;
            case TASKS -> false;
          };
      return isHeld ? limited(bound, own, measure) : bound;
    });
    if (limits.isPresent()) {
      all.replaceAll((measure, bound) ->
          bound instanceof Bound.Unbounded
              ? Bound.unbounded(
                  "agent `%s` has no limit on %s".formatted(name, measure.noun()), place)
              : bound);
    }
    all.put(Measure.TASKS, Bound.of(0));
    return all;
  }
}
