package dev.superstep.rag;

import dev.superstep.language.DiagnosticJson;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.check.Compilation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A text that was compiled and bound: its graphs, or everything that is wrong with it. Immutable.
public final class RagProgram {
  private final Compilation compilation;
  private final Diagnostics.Report report;
  private final Map<String, RagGraph> graphs;

  RagProgram(Compilation compilation, Diagnostics.Report report, Map<String, RagGraph> graphs) {
    this.compilation = compilation;
    this.report = report;
    this.graphs = new LinkedHashMap<>(graphs);
  }

  /// Returns whether its graphs can run.
  public boolean isValid() {
    return !report.hasErrors();
  }

  /// The findings: errors, warnings and notes.
  public Diagnostics.Report report() {
    return report;
  }

  /// The findings for people.
  public String text() {
    return DiagnosticText.of(source(), report);
  }

  /// The findings for programs.
  public String json() {
    return DiagnosticJson.of(source(), report);
  }

  public Source source() {
    return compilation.source();
  }

  /// The graphs as data, also of a text with errors.
  public List<Blueprint> blueprints() {
    return compilation.blueprints();
  }

  /// The graphs that no other graph of the text uses.
  public List<Blueprint> outermost() {
    return compilation.outermost();
  }

  /// A graph of this name, if the text is valid and has one.
  public Optional<RagGraph> graph(String name) {
    return Optional.ofNullable(graphs.get(name));
  }

  /// The only graph that no other graph of the text uses.
  ///
  /// @throws IllegalStateException if there are several, or if the text is not valid
  public RagGraph graph() {
    if (!isValid()) throw new IllegalStateException("the text is not valid:\n" + text());
    var outermost = outermost();
    if (outermost.size() == 1) return graph(outermost.getFirst().graph()).orElseThrow();
    throw new IllegalStateException(
        "name one of the graphs: "
            + String.join(", ", outermost.stream().map(Blueprint::graph).toList()));
  }

  @Override
  public String toString() {
    return "RagProgram" + graphs.keySet();
  }
}
