package dev.superstep.rag.internal.binding;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.check.Places;
import dev.superstep.language.rag.Capability;
import dev.superstep.node.Question;
import dev.superstep.rag.internal.node.AskCode;
import dev.superstep.rag.internal.run.Allowed;
import dev.superstep.rag.internal.run.Meter;
import dev.superstep.rag.internal.run.RunErrors;
import dev.superstep.rag.internal.value.BoundTypes;
import dev.superstep.registry.Registry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Binds the graphs of one text to a registry. A graph that is inside others is bound once for each
/// set of things that it may use. One thread at a time.
public final class RagBinder implements AskCode.Questions {
  private final Registry registry;
  private final Map<String, Blueprint> blueprints = new LinkedHashMap<>();
  private final Optional<Source> source;
  private final Map<String, Places> places;
  private final BoundTypes types;
  private final ChannelBinding channels;
  private final Map<String, Question<?, ?>> questions = new HashMap<>();
  private final Map<Key, BoundGraph> bound = new HashMap<>();
  private final Set<String> underWay = new HashSet<>();

  private record Key(String graph, Around around) {}

  /// The surroundings of a graph.
  ///
  /// @param allowed what the graph around it may use
  /// @param meter of the graph around it
  /// @param model what its nodes use that name none, if a graph around says so
  public record Around(Allowed allowed, Meter meter, Optional<String> model) {}

  public RagBinder(
      Registry registry,
      List<Blueprint> blueprints,
      Optional<Source> source,
      Map<String, Places> places) {
    this.registry = registry;
    for (var blueprint : blueprints) this.blueprints.put(blueprint.graph(), blueprint);
    this.source = source;
    this.places = places;
    this.types = new BoundTypes(registry);
    this.channels = new ChannelBinding(registry, types);
  }

  /// Binds a graph that a caller runs.
  ///
  /// @param host the names that the host allows
  public Optional<BoundGraph> outermost(
      Blueprint blueprint, Map<Capability, Set<String>> host, BindingProblems problems) {
    return graph(
        blueprint.graph(), new Around(new Allowed(host), Meter.NONE, Optional.empty()), problems);
  }

  public boolean has(String graph) {
    return blueprints.containsKey(graph);
  }

  /// Binds a graph of the text; empty if it has a problem, or is inside itself.
  public Optional<BoundGraph> graph(String name, Around around, BindingProblems problems) {
    var blueprint = blueprints.get(name);
    if (blueprint == null || !underWay.add(name)) return Optional.empty();
    if (around.model().isPresent()) blueprint = blueprint.withModel(around.model().get());
    try {
      var key = new Key(name, around);
      var known = bound.get(key);
      if (known != null) return Optional.of(known);
      var own = new BindingProblems(places(blueprint));
      var made = new GraphBinding(this, blueprint, around, own).bind();
      problems.addAll(own);
      made.ifPresent(graph -> bound.put(key, graph));
      return made;
    } finally {
      underWay.remove(name);
    }
  }

  private Function<String, Span> places(Blueprint blueprint) {
    var known = places.get(blueprint.graph());
    return known == null ? _ -> Span.BEGINNING : known::find;
  }

  /// The question of a node: the same one wherever its graph is bound.
  @SuppressWarnings("unchecked") // made under the same name here
  @Override
  public <P, A> Question<P, A> question(String name, Supplier<Question<P, A>> make) {
    var known = questions.get(name);
    if (known != null) return (Question<P, A>) known;
    var made = make.get();
    questions.put(name, made);
    return made;
  }

  public Registry registry() {
    return registry;
  }

  public BoundTypes types() {
    return types;
  }

  public ChannelBinding channels() {
    return channels;
  }

  public RunErrors errors(Blueprint blueprint) {
    return new RunErrors(blueprint, source);
  }
}
