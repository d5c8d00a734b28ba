package dev.superstep.eval.report;

import java.util.ArrayList;
import java.util.List;

/// A table of text whose columns have the width of their longest cell. One thread at a time.
final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  TextTable(String... heads) {
    rows.add(heads);
  }

  void row(String... cells) {
    rows.add(cells);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  List<String> lines() {
    int columns = rows.getFirst().length;
    var widths = new int[columns];
    for (var row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
      }
    }
    var lines = new ArrayList<String>();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row[i]);
        line.repeat(' ', widths[i] - row[i].codePointCount(0, row[i].length()) + 2);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
