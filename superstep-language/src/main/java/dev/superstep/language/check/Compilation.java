package dev.superstep.language.check;

import dev.superstep.language.DiagnosticJson;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.rag.SyntaxTree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The result of compiling a source: its tree, its blueprints, and what was found. Immutable.
///
/// @param blueprints all that could be made, also of a source with errors; run none of these then
/// @param places where the parts of each graph are, by its name
/// @param unreached the nodes of each graph that nothing leads to, by its name
public record Compilation(
    SyntaxTree tree,
    List<Blueprint> blueprints,
    Map<String, Places> places,
    Map<String, Set<String>> unreached,
    Diagnostics.Report report) {
  public Compilation {
    blueprints = List.copyOf(blueprints);
    places = Map.copyOf(places);
    unreached = Map.copyOf(unreached);
  }

  public Source source() {
    return tree.source();
  }

  /// Returns whether the source can be used.
  public boolean isValid() {
    return !report.hasErrors();
  }

  /// The blueprint of a graph, if there is one of this name.
  public Optional<Blueprint> blueprint(String graph) {
    return blueprints.stream().filter(each -> each.graph().equals(graph)).findFirst();
  }

  /// The blueprints as they run: without the nodes that nothing leads to, where the host only warns
  /// of these.
  public List<Blueprint> running() {
    return blueprints.stream()
        .map(each -> each.without(unreached.getOrDefault(each.graph(), Set.of())))
        .toList();
  }

  /// The graphs that no other graph of the source uses.
  public List<Blueprint> outermost() {
    var used =
        blueprints.stream()
            .flatMap(each -> each.nodes().stream())
            .flatMap(node -> node.graph().stream())
            .toList();
    return blueprints.stream().filter(each -> !used.contains(each.graph())).toList();
  }

  /// The findings for people.
  public String text() {
    return DiagnosticText.of(source(), report);
  }

  /// The findings for programs.
  public String json() {
    return DiagnosticJson.of(source(), report);
  }
}
