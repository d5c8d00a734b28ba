package dev.superstep.language.bounds;

import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.check.Compilation;
import dev.superstep.language.check.Places;
import dev.superstep.language.json.JsonTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The most that a run of a graph can take, known before it begins: from the text, and from what is
/// known of the components that it refers to. Immutable.
///
/// ```java
/// var bounds = Bounds.of(compilation, "desk", facts);
/// print(bounds.text(source));    // for people: a line for each measure
/// print(bounds.json(source));    // for programs
/// var problems = bounds.passing(Limits.none().and(Measure.MODEL_CALLS, 40));
/// ```
///
/// A command shows them after its findings, as [#text] has them:
///
/// ```text
/// a run of desk takes at most
///   model calls: 12
///   tool calls: unbounded
///     desk.rag:14:3: node `act` makes as many calls as its model asks for
///   ...
/// ```
///
/// Counted are the nodes that stand in the text, with their retries, and what these call. Nodes on
/// a cycle run once a superstep at most, so `recursion_limit` bounds them; a resumption of a thread
/// begins that count anew, and no other. `limits` of the text bound everything. Code that is
/// registered as functions, routers, mappings and tools is taken to call no models of its own and
/// to finish in one task; what it spends all the same counts against `limits` when it runs.
///
/// @param most by measure, all of them
public record Bounds(String graph, Map<Measure, Bound> most) {
  public Bounds {
    most = Collections.unmodifiableMap(new EnumMap<>(most));
  }

  /// The bounds of a graph of a source.
  ///
  /// @throws IllegalArgumentException if the source has no graph of this name
  public static Bounds of(Compilation compiled, String graph, ComponentFacts facts) {
    return of(compiled.blueprints(), compiled.places(), graph, facts);
  }

  /// The bounds of one of several graphs that refer to each other.
  ///
  /// @param places those of the graphs that were made of a source
  /// @throws IllegalArgumentException if there is no graph of this name
  public static Bounds of(
      List<Blueprint> graphs, Map<String, Places> places, String graph, ComponentFacts facts) {
    return new BoundsAnalysis(graphs, places, facts).of(graph);
  }

  /// The bound of a measure.
  public Bound of(Measure measure) {
    return most.getOrDefault(measure, Bound.of(0));
  }

  /// The limits that a run may pass, each as a sentence without a full stop; empty if it cannot.
  public List<String> passing(Limits limits) {
    var passed = new ArrayList<String>();
    limits
        .most()
        .forEach((measure, limit) -> {
          var bound = of(measure);
          if (!bound.passes(limit)) return;
          var noun = measure.noun();
          var may = limit.toPlainString();
          passed.add(
              switch (bound) {
                case Bound.AtMost(var amount) ->
                    "it can take %s %s, and may take %s"
                        .formatted(amount.toPlainString(), noun, may);
                case Bound.Unbounded(var causes) ->
                    "nothing bounds its %s, and it may take %s: %s"
                        .formatted(noun, may, causes.getFirst().why());
              });
        });
    return passed;
  }

  /// The bounds for people.
  ///
  /// @param source the one that the graph is in
  public String text(Source source) {
    var out = new StringBuilder("a run of ").append(graph).append(" takes at most\n");
    for (var measure : Measure.values()) {
      out.append("  ").append(measure.noun()).append(": ");
      switch (of(measure)) {
        case Bound.AtMost(var amount) -> out.append(amount.toPlainString()).append('\n');
        case Bound.Unbounded(var causes) -> {
          out.append("unbounded\n");
          for (var cause : causes) {
            var at = source.position(cause.span().start());
            out.append("    ").append(source.name()).append(':').append(at.line());
            out.append(':').append(at.column()).append(": ").append(cause.why()).append('\n');
          }
        }
      }
    }
    return out.toString();
  }

  /// The bounds for programs: for each measure a number, or the causes why there is none.
  ///
  /// @param source the one that the graph is in
  public String json(Source source) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("graph", JsonTree.of(graph));
    for (var measure : Measure.values()) {
      fields.put(
          measure.word(),
          switch (of(measure)) {
            case Bound.AtMost(var amount) -> new JsonTree.Decimal(amount);
            case Bound.Unbounded(var causes) ->
                JsonTree.object(
                    Map.of(
                        "unbounded",
                        JsonTree.list(causes.stream().map(c -> tree(c, source)).toList())));
          });
    }
    return JsonTree.object(fields).pretty();
  }

  private static JsonTree tree(Bound.Cause cause, Source source) {
    var at = source.position(cause.span().start());
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("line", JsonTree.of(at.line()));
    fields.put("column", JsonTree.of(at.column()));
    fields.put("why", JsonTree.of(cause.why()));
    return JsonTree.object(fields);
  }
}
