package dev.superstep.cli.text;

import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.BlueprintDiff;
import dev.superstep.language.check.Compilation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The differences of the graphs of two sources, graph by graph. Immutable.
///
/// @param graphs in the order of the new source; then those that are gone
public record GraphDiffs(List<GraphDiff> graphs) {
  public GraphDiffs {
    graphs = List.copyOf(graphs);
  }

  /// The difference of one graph.
  ///
  /// @param change `added`, `removed`, `changed` or `same`
  public record GraphDiff(String graph, String change, BlueprintDiff diff) {}

  /// Compares the graphs of two sources. Where each has one graph, they are compared whatever their
  /// names.
  ///
  /// @param redacted whether the texts of prompts are hidden
  public static GraphDiffs of(Compilation old, Compilation now, boolean redacted) {
    var before = byName(old.blueprints());
    var after = byName(now.blueprints());
    var diffs = new ArrayList<GraphDiff>();
    if (before.size() == 1 && after.size() == 1) {
      var graph = after.values().iterator().next();
      diffs.add(compared(before.values().iterator().next(), graph, redacted));
      return new GraphDiffs(diffs);
    }
    after.forEach((name, graph) -> {
      var other = before.get(name);
      diffs.add(
          other == null
              ? new GraphDiff(name, "added", diff(Blueprint.empty(name), graph, redacted))
              : compared(other, graph, redacted));
    });
    before.forEach((name, graph) -> {
      if (after.containsKey(name)) return;
      diffs.add(new GraphDiff(name, "removed", diff(graph, Blueprint.empty(name), redacted)));
    });
    return new GraphDiffs(diffs);
  }

  private static GraphDiff compared(Blueprint old, Blueprint now, boolean redacted) {
    var diff = diff(old, now, redacted);
    return new GraphDiff(now.graph(), diff.isEmpty() ? "same" : "changed", diff);
  }

  private static BlueprintDiff diff(Blueprint old, Blueprint now, boolean redacted) {
    return redacted ? BlueprintDiff.redacted(old, now) : BlueprintDiff.of(old, now);
  }

  private static Map<String, Blueprint> byName(List<Blueprint> graphs) {
    var all = new LinkedHashMap<String, Blueprint>();
    for (var graph : graphs) all.putIfAbsent(graph.graph(), graph);
    return all;
  }

  /// Returns true if a graph may do something that it could not do before.
  public boolean isWider() {
    return graphs.stream().anyMatch(graph -> graph.diff().isWider());
  }

  /// The differences for people.
  public String text() {
    var changed = graphs.stream().filter(graph -> !graph.change().equals("same")).toList();
    if (changed.isEmpty()) return "no difference\n";
    var text = new StringBuilder();
    for (var graph : changed) {
      if (!text.isEmpty()) text.append('\n');
      text.append("graph ").append(graph.graph()).append(' ').append(graph.change()).append('\n');
      text.append(graph.diff().text());
    }
    return text.toString();
  }

  /// The differences for programs.
  Json json(String old, String now) {
    var lines =
        graphs.stream()
            .map(graph -> new Line(graph.graph(), graph.change(), Json.parse(graph.diff().json())))
            .toList();
    boolean isEmpty = graphs.stream().allMatch(graph -> graph.change().equals("same"));
    return Json.of(new Lines(old, now, isEmpty, isWider(), lines));
  }

  /// A graph, as `--json` prints it.
  record Line(String graph, String change, Json diff) {}

  /// All of it, as `--json` prints it.
  record Lines(String old, String now, boolean empty, boolean wider, List<Line> graphs) {}

  /// The differences on one line, for programs.
  public String jsonLine(String old, String now) {
    return json(old, now).text();
  }
}
