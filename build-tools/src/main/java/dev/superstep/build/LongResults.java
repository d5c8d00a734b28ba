package dev.superstep.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The table of last results in a page, a row for each test class. Other rows and the text around
/// the table stay as they are. One thread.
final class LongResults {
  private static final String HEAD = "| part | test | date | commit | outcome | took | figures |";
  private static final String RULE = "|---|---|---|---|---|---|---|";

  private final Path page;

  LongResults(Path page) {
    this.page = page;
  }

  /// How a test class ended last.
  record Result(
      String part,
      String test,
      String date,
      String commit,
      String outcome,
      String took,
      String figures) {
    private static final int CELLS = 7;

    boolean hasPassed() {
      return !outcome.startsWith("failed");
    }

    /// A tree with changes is never the same as before.
    boolean passedAt(String head) {
      return hasPassed() && commit.equals(head) && !head.endsWith("+");
    }

    String row() {
      var cells = List.of(part, test, date, commit, outcome, took, figures);
      return "| " + String.join(" | ", cells) + " |";
    }

    static Optional<Result> of(String row) {
      var cells = row.split("(?<!\\\\)\\|", -1);
      if (cells.length != CELLS + 2) return Optional.empty();
      return Optional.of(
          new Result(
              cells[1].strip(),
              cells[2].strip(),
              cells[3].strip(),
              cells[4].strip(),
              cells[5].strip(),
              cells[6].strip(),
              cells[7].strip()));
    }

    boolean isOf(String name, String testClass) {
      return part.equals(name) && test.equals(testClass);
    }
  }

  Optional<Result> find(String part, String test) throws IOException {
    return rows(Files.readAllLines(page)).stream().filter(r -> r.isOf(part, test)).findFirst();
  }

  /// Replaces the row of the same part and test, or adds one at the end.
  void put(Result result) throws IOException {
    var lines = new ArrayList<>(Files.readAllLines(page));
    int first = lines.indexOf(HEAD) + 2;
    int end = end(lines, first);
    for (int i = first; i < end; i++) {
      if (!Result.of(lines.get(i)).orElseThrow().isOf(result.part(), result.test())) continue;
      lines.set(i, result.row());
      Files.write(page, lines);
      return;
    }
    lines.add(end, result.row());
    Files.write(page, lines);
  }

  private static List<Result> rows(List<String> lines) {
    int first = lines.indexOf(HEAD) + 2;
    return lines.subList(first, end(lines, first)).stream()
        .map(row -> Result.of(row).orElseThrow())
        .toList();
  }

  private static int end(List<String> lines, int first) {
    if (first < 2 || lines.size() < first || !lines.get(first - 1).equals(RULE)) {
      throw new IllegalStateException("The page of results has no table `" + HEAD + "`.");
    }
    int end = first;
    while (end < lines.size() && Result.of(lines.get(end)).isPresent()) end++;
    return end;
  }
}
