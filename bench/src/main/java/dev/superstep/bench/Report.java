package dev.superstep.bench;

import dev.superstep.bench.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// The results as lines of JSON for programs and as Markdown for people.
final class Report {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final double DIGITS = 1e4;

  private final Machine machine;
  private final Results results;
  private final List<Row> rows;

  Report(Machine machine, Results results) {
    this.machine = machine;
    this.results = results;
    this.rows = results.rows();
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.jsonl"), jsonLines());
    Files.writeString(folder.resolve("results.md"), markdown());
  }

  private String jsonLines() {
    var lines = new ArrayList<Map<String, Object>>();
    lines.add(Map.of("header", machine.facts()));
    for (var row : rows) lines.add(json(row));
    results
        .missing()
        .forEach((what, reason) -> {
          var line = new LinkedHashMap<String, Object>();
          line.put("workload", what.workload());
          line.put("case", what.name());
          line.put("system", what.system());
          line.put("ok", false);
          line.put("not_run", reason);
          lines.add(line);
        });
    var text = new StringBuilder();
    for (var line : lines) text.append(JSON.writeValueAsString(line)).append('\n');
    return text.toString();
  }

  private Map<String, Object> json(Row row) {
    var line = new LinkedHashMap<String, Object>();
    line.put("workload", row.key().workload());
    line.put("case", row.key().name());
    line.put("system", row.key().system());
    line.put("variant", row.key().variant());
    line.put("metric", row.key().metric());
    line.put("median", rounded(row.median()));
    line.put("p99", rounded(row.p99()));
    line.put("samples", row.samples());
    row.ratio().ifPresent(ratio -> line.put("ratio_to_limit", rounded(ratio)));
    line.put("ok", row.wrong().isEmpty());
    if (!row.wrong().isEmpty()) line.put("wrong", row.wrong());
    line.put("load", rounded(row.load()));
    return line;
  }

  /// The summary, the whole table, and where it was measured.
  private String markdown() {
    var text = new StringBuilder("# Results\n\n");
    machine
        .facts()
        .forEach((name, value) ->
            text.append("- ").append(name).append(": ").append(value).append('\n'));
    text.append('\n').append(summary());
    text.append("\n## All figures\n\n");
    text.append(
        "| workload | case | system | variant | metric | median | p99 | ÷ limit | right |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    for (var row : rows) {
      var key = row.key();
      cells(
          text,
          List.of(
              key.workload(),
              key.name(),
              key.system(),
              key.variant(),
              key.metric(),
              figure(row.median()),
              figure(row.p99()),
              row.ratio().map(Report::figure).orElse(""),
              row.wrong().isEmpty() ? "yes" : "**no**: " + row.wrong()));
    }
    return text.toString();
  }

  /// One line for each case and metric, one column for each system: the median of its best variant,
  /// and how that compares with the limit.
  String summary() {
    var systems = systems();
    var text = new StringBuilder();
    Plan.WORKLOADS.forEach((workload, about) -> {
      var lines = lines(workload, about.metrics());
      if (lines.isEmpty()) return;
      text.append("## ").append(workload).append(": ").append(about.title()).append("\n\n");
      cells(text, titles(systems));
      text.append("|---".repeat(systems.size() + 2)).append("|\n");
      for (var line : lines) cells(text, line(line, systems));
      text.append('\n');
    });
    if (results.missing().isEmpty()) return text.toString();
    text.append("## Not run\n\n");
    results
        .missing()
        .forEach((what, reason) ->
            text.append(
                "- %s %s %s: %s%n".formatted(what.system(), what.workload(), what.name(), reason)));
    return text.toString();
  }

  private List<Contender> systems() {
    var seen = rows.stream().map(row -> row.key().system()).toList();
    return Arrays.stream(Contender.values()).filter(it -> seen.contains(it.id())).toList();
  }

  private static List<String> titles(List<Contender> systems) {
    var titles = new ArrayList<>(List.of("case", "metric"));
    systems.forEach(system -> titles.add(system.id()));
    return titles;
  }

  /// The keys of a workload's summary without systems, and without variants where these are only
  /// ways to do the same.
  private List<Results.Key> lines(String workload, List<String> metrics) {
    var lines = new LinkedHashSet<Results.Key>();
    for (var row : rows) {
      if (row.key().workload().equals(workload) && metrics.contains(row.key().metric())) {
        lines.add(line(row.key()));
      }
    }
    return List.copyOf(lines);
  }

  private static Results.Key line(Results.Key key) {
    return key.of("", Plan.workload(key.workload()).each() ? key.variant() : "");
  }

  private List<String> line(Results.Key line, List<Contender> systems) {
    var what = line.name() + (line.variant().isEmpty() ? "" : ", " + line.variant());
    var cells = new ArrayList<>(List.of(what, line.metric()));
    for (var system : systems) cells.add(best(line, system).map(Report::cell).orElse("–"));
    return cells;
  }

  /// The variant with the least, but the limit's that others are compared with.
  private Optional<Row> best(Results.Key line, Contender system) {
    var about = Plan.workload(line.workload());
    return rows.stream()
        .filter(row -> line(row.key()).equals(line))
        .filter(row -> row.key().system().equals(system.id()))
        .filter(row -> system != Contender.LIMIT || about.isCompared(row.key().variant()))
        .min(Comparator.comparingDouble(Row::median));
  }

  private static String cell(Row row) {
    var text = figure(row.median()) + " (" + row.key().variant();
    if (!row.key().system().equals(Contender.LIMIT.id())) {
      text += row.ratio().map(ratio -> ", " + figure(ratio) + "×").orElse("");
    }
    return text + (row.wrong().isEmpty() ? ")" : ", **wrong**)");
  }

  private static void cells(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /// Three digits are more than the machine can promise.
  private static String figure(double value) {
    if (value >= 1_000) return String.format(Locale.ROOT, "%,.0f", value);
    if (value >= 100) return String.format(Locale.ROOT, "%.0f", value);
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
