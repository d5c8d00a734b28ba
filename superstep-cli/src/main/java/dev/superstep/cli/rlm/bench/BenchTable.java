package dev.superstep.cli.rlm.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The tables of a bench, in 80 columns. Immutable.
final class BenchTable {
  private static final String FORM = "%9s %-14s%7s%6s%7s%12s%10s%8s%5s";
  private static final String TOOL_FORM = "%-20s %-23s%7s%7s%11s%10s";

  private BenchTable() {}

  static List<String> of(String title, List<Row> rows) {
    var lines = new ArrayList<String>();
    lines.add(title);
    lines.add(
        FORM.formatted(
            "size", "way", "score", "turns", "calls", "characters", "root", "ms", "MiB"));
    long size = rows.getFirst().size();
    for (var row : rows) {
      if (row.size() != size) lines.add("");
      size = row.size();
      lines.add(line(row));
    }
    for (var row : rows) {
      if (row.failed() == 0) continue;
      var why = row.error();
      lines.add(
          "! %s, %,d: %d of %d ended without an answer%s"
              .formatted(
                  row.way(),
                  row.size(),
                  row.failed(),
                  row.trials(),
                  why.isEmpty() ? "" : ": " + cut(why)));
    }
    return lines;
  }

  private static String cut(String text) {
    return text.length() <= 160 ? text : text.substring(0, 159) + "…";
  }

  private static String line(Row row) {
    var mark = row.overWindow() > 0 ? "*" : row.failed() > 0 ? "!" : " ";
    return FORM.formatted(
            whole(row.size()),
            row.way(),
            "%.2f".formatted(row.score()) + mark,
            mean(row.turns()),
            mean(row.calls()),
            whole(Math.round(row.sent())),
            whole(row.peak()),
            whole(Math.round(row.ms())),
            whole(row.heapBytes() >> 20))
        .stripTrailing();
  }

  static List<String> ofTools(String title, List<ToolTrial.Row> rows) {
    var lines = new ArrayList<String>();
    lines.add(title);
    lines.add(TOOL_FORM.formatted("task", "way", "right", "turns", "sent", "written"));
    for (var row : rows) {
      lines.add(
          TOOL_FORM.formatted(
              row.task(),
              row.way(),
              row.right() + "/" + row.trials(),
              mean(row.turns()),
              whole(Math.round(row.sent())),
              whole(Math.round(row.written()))));
    }
    return lines;
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String mean(double number) {
    boolean isWhole = number == Math.rint(number) || number >= 1_000;
    return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%.1f", number);
  }
}
