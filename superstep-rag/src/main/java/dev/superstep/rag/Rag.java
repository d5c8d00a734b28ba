package dev.superstep.rag;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.bounds.Bounds;
import dev.superstep.language.bounds.ComponentFacts;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.check.Blueprints;
import dev.superstep.language.check.CheckPolicy;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Names;
import dev.superstep.language.check.Places;
import dev.superstep.language.rag.Capability;
import dev.superstep.rag.error.BindingFailed;
import dev.superstep.rag.internal.binding.BindingProblems;
import dev.superstep.rag.internal.binding.BoundGraph;
import dev.superstep.rag.internal.binding.RagBinder;
import dev.superstep.rag.internal.run.RegistryFacts;
import dev.superstep.rag.internal.value.RegistryNames;
import dev.superstep.registry.Registry;
import dev.superstep.topology.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes graphs that run of graphs that are written as text.
///
/// ```java
/// var program = Rag.compile(Source.of("desk.rag", text), registry, CheckPolicy.file("desk.rag"));
/// if (!program.isValid()) System.err.println(program.text());
/// else program.graph().run(input, options);
/// ```
///
/// A text refers to models, tools, agents, functions and the like by the names under which they are
/// registered; see [dev.superstep.rag.component.RagKind]. It brings no code of its own.
public final class Rag {
  private Rag() {}

  /// Reads, checks and binds a text. Nothing is thrown for any text: what is wrong with it is in
  /// the program.
  public static RagProgram compile(Source source, Registry registry, CheckPolicy policy) {
    var compiled = Blueprints.compile(source, names(registry), policy);
    if (!compiled.isValid()) return new RagProgram(compiled, compiled.report(), Map.of());
    return bound(compiled, registry, policy);
  }

  /// The names of a registry, for checks without running.
  public static Names names(Registry registry) {
    return new RegistryNames(registry);
  }

  /// The facts of a registry that bound a run, for [Bounds] without running.
  public static ComponentFacts facts(Registry registry) {
    return new RegistryFacts(registry);
  }

  private static RagProgram bound(Compilation compiled, Registry registry, CheckPolicy policy) {
    var problems = new BindingProblems(_ -> Span.BEGINNING);
    var text =
        new Text(
            registry,
            compiled.running(),
            Optional.of(compiled.source()),
            compiled.places(),
            policy.allowed());
    var binder = text.binder();
    var graphs = new LinkedHashMap<String, RagGraph>();
    for (var blueprint : compiled.running()) {
      // Runs inside others only, which give it a model.
      if (needsModel(blueprint, compiled.blueprints(), new HashSet<>())) continue;
      text.graph(binder, blueprint, problems)
          .ifPresent(graph -> graphs.put(blueprint.graph(), graph));
    }
    var all = new Diagnostics();
    compiled.report().shown().forEach(all::add);
    problems.found().stream().distinct().forEach(all::add);
    return new RagProgram(compiled, all.report(), all.hasErrors() ? Map.of() : graphs);
  }

  /// Returns whether a graph, or one inside it, names no model where it needs one.
  private static boolean needsModel(Blueprint graph, List<Blueprint> all, Set<String> seen) {
    if (!seen.add(graph.graph())) return false;
    if (graph.needsModel()) return true;
    for (var node : graph.nodes()) {
      if (node.graph().isEmpty() || node.model().isPresent()) continue;
      for (var inner : all) {
        if (!inner.graph().equals(node.graph().get())) continue;
        if (needsModel(inner, all, seen)) return true;
      }
    }
    return false;
  }

  /// The shape of a graph by its text alone, to be looked at while it is written. Agents and
  /// registered graphs have nothing inside, since nothing is looked up.
  ///
  /// @param blueprints of the text, among them the graphs inside
  public static Topology sketch(List<Blueprint> blueprints, Blueprint graph) {
    return new Sketch(blueprints).of(graph);
  }

  /// Binds a blueprint that was compiled before, such as one that was stored. What it refers to is
  /// looked up again.
  ///
  /// @throws BindingFailed if the registry does not have all of it
  public static RagGraph bind(Blueprint blueprint, Registry registry) {
    return bind(List.of(blueprint), registry, blueprint.graph());
  }

  /// Binds one of several blueprints that refer to each other.
  ///
  /// @throws BindingFailed if the registry does not have all of it
  public static RagGraph bind(List<Blueprint> blueprints, Registry registry, String graph) {
    return bind(Optional.empty(), blueprints, registry, graph);
  }

  /// Binds one of the blueprints of a text that its host has narrowed, such as by lower limits.
  /// Errors of its runs say where in the text.
  ///
  /// @throws BindingFailed if the registry does not have all of it
  public static RagGraph bind(
      Source source, List<Blueprint> blueprints, Registry registry, String graph) {
    return bind(Optional.of(source), blueprints, registry, graph);
  }

  private static RagGraph bind(
      Optional<Source> source, List<Blueprint> blueprints, Registry registry, String graph) {
    var problems = new BindingProblems(_ -> Span.BEGINNING);
    var text = new Text(registry, blueprints, source, Map.of(), Map.of());
    for (var blueprint : blueprints) {
      if (!blueprint.graph().equals(graph)) continue;
      var bound = text.graph(text.binder(), blueprint, problems);
      if (bound.isPresent() && problems.isEmpty()) return bound.get();
    }
    throw new BindingFailed(graph, problems.found());
  }

  /// The graphs of a text, and what they are bound to.
  private record Text(
      Registry registry,
      List<Blueprint> blueprints,
      Optional<Source> source,
      Map<String, Places> places,
      Map<Capability, Set<String>> allowed) {
    RagBinder binder() {
      return new RagBinder(registry, blueprints, source, places);
    }

    Optional<RagGraph> graph(RagBinder binder, Blueprint blueprint, BindingProblems problems) {
      return binder
          .outermost(blueprint, allowed, problems)
          .map(bound ->
              new RagGraph(bound, () -> bounds(blueprint), limits -> limited(blueprint, limits)));
    }

    private Bounds bounds(Blueprint blueprint) {
      return Bounds.of(blueprints, places, blueprint.graph(), facts(registry));
    }

    private BoundGraph limited(Blueprint blueprint, Limits limits) {
      var all = new ArrayList<>(blueprints);
      var limited = limits.on(blueprint);
      all.replaceAll(each -> each.graph().equals(blueprint.graph()) ? limited : each);
      var problems = new BindingProblems(_ -> Span.BEGINNING);
      return new RagBinder(registry, all, source, places)
          .outermost(limited, allowed, problems)
          .orElseThrow(() -> new BindingFailed(blueprint.graph(), problems.found()));
    }
  }
}
