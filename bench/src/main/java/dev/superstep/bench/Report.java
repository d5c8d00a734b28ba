package dev.superstep.bench;

import dev.superstep.bench.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// The results as lines of JSON for programs and as Markdown for people.
final class Report {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final double DIGITS = 1e4;

  private final Machine machine;
  private final Results results;
  private final List<Row> rows;
  private final Comparison comparison;

  Report(Machine machine, Results results) {
    this.machine = machine;
    this.results = results;
    this.rows = results.rows();
    this.comparison = new Comparison(rows);
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    replace(folder.resolve("results.jsonl"), jsonLines());
    replace(folder.resolve("results.md"), markdown());
  }

  /// Leaves the former text if the process ends meanwhile.
  private static void replace(Path file, String text) throws IOException {
    var next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
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
    row.guardedRatio().ifPresent(ratio -> line.put("ratio_to_guarded_limit", rounded(ratio)));
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
    text.append('\n').append(summary()).append(distances()).append(warmUps());
    text.append("\n## All figures\n\n");
    cells(
        text,
        List.of(
            "workload",
            "case",
            "system",
            "variant",
            "metric",
            "median",
            "p99",
            "÷ limit",
            "÷ guarded",
            "right"));
    text.append("|---".repeat(10)).append("|\n");
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
              row.guardedRatio().map(Report::figure).orElse(""),
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
      var lines = comparison.lines(workload);
      if (lines.isEmpty()) return;
      text.append("## ").append(workload).append(": ").append(about.title()).append("\n\n");
      cells(text, titles(systems));
      text.append("|---".repeat(systems.size() + 2)).append("|\n");
      for (var line : lines) cells(text, line(line, systems));
      text.append('\n');
    });
    text.append(peerWins());
    if (results.missing().isEmpty()) return text.toString();
    text.append("\n## Not run\n\n");
    results
        .missing()
        .forEach((what, reason) ->
            text.append(
                "- %s %s %s: %s%n".formatted(what.system(), what.workload(), what.name(), reason)));
    return text.toString();
  }

  /// Each line in which a peer has the better figure.
  private String peerWins() {
    var text = new StringBuilder("## Where a peer wins\n\n");
    var wins = comparison.peerWins();
    if (wins.isEmpty()) return text.append("Nowhere.\n").toString();
    cells(text, List.of("workload", "case", "metric", "superstep", "peer", "superstep ÷ peer"));
    text.append("|---".repeat(6)).append("|\n");
    for (var win : wins) {
      var key = win.superstep().key();
      var peer = win.peer();
      cells(
          text,
          List.of(
              key.workload(),
              key.name(),
              key.metric(),
              plain(win.superstep()),
              peer.key().system() + " " + plain(peer),
              figure(win.factor())));
    }
    return text.toString();
  }

  private static String plain(Row row) {
    return figure(row.median()) + " (" + row.key().variant() + ")";
  }

  /// Superstep beside both limits and the nearest peer.
  private String distances() {
    var text = new StringBuilder("\n## Distance to the limits\n\n");
    cells(
        text,
        List.of(
            "workload",
            "case",
            "metric",
            "superstep",
            "÷ limit",
            "÷ limit with guarantees",
            "nearest peer ÷ superstep"));
    text.append("|---".repeat(7)).append("|\n");
    for (var row : comparison.ofSuperstep()) {
      cells(
          text,
          List.of(
              row.key().workload(),
              row.key().name(),
              row.key().metric(),
              plain(row),
              row.ratio().map(Report::figure).orElse("–"),
              row.guardedRatio().map(Report::figure).orElse("–"),
              comparison.nearestPeer(row).map(peer -> distance(row, peer)).orElse("–")));
    }
    return text.toString();
  }

  private static String distance(Row superstep, Row peer) {
    double ratio = Comparison.cost(peer) / Comparison.cost(superstep);
    return figure(ratio) + " " + peer.key().system();
  }

  /// The first round of each process beside the warm one, and whether it stood still.
  private String warmUps() {
    var text = new StringBuilder("\n## First round and warm\n\n");
    cells(
        text,
        List.of("workload", "case", "system", "variant", "first, µs", "warm, µs", "stood still"));
    text.append("|---".repeat(7)).append("|\n");
    for (var first : comparison.firstRounds()) {
      var key = first.key();
      var seconds = comparison.warmUp(first, "warm_up_s").map(row -> figure(row.median()));
      boolean isStill =
          comparison.warmUp(first, "warm_up_still").filter(row -> row.median() > 0).isPresent();
      cells(
          text,
          List.of(
              key.workload(),
              key.name(),
              key.system(),
              key.variant(),
              figure(first.median()),
              comparison.warmUp(first, "warm_us").map(row -> figure(row.median())).orElse(""),
              (isStill ? "after " : "**not** within ") + seconds.orElse("?") + " s"));
    }
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

  private List<String> line(Results.Key line, List<Contender> systems) {
    var what = line.name() + (line.variant().isEmpty() ? "" : ", " + line.variant());
    var cells = new ArrayList<>(List.of(what, line.metric()));
    for (var system : systems)
      cells.add(comparison.best(line, system).map(Report::cell).orElse("–"));
    return cells;
  }

  private static String cell(Row row) {
    var text = figure(row.median()) + " (" + row.key().variant();
    if (!isOfLimit(row)) {
      text += row.ratio().map(ratio -> ", " + figure(ratio) + "×").orElse("");
      text += row.guardedRatio().map(ratio -> ", " + figure(ratio) + "× guarded").orElse("");
    }
    return text + (row.wrong().isEmpty() ? ")" : ", **wrong**)");
  }

  private static boolean isOfLimit(Row row) {
    return Contender.named(row.key().system()).filter(Contender::isLimit).isPresent();
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
