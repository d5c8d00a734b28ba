package dev.superstep.build;

import java.util.ArrayList;
import java.util.List;

/// Finds `///` comments that google-java-format would tear: it wraps a line over 100 columns into
/// `///` and `//`, so that the rest silently leaves the documentation.
final class MarkdownComments {
  static final int COLUMNS_MAX = 100;

  private MarkdownComments() {}

  /// One sentence for each torn or too long comment line.
  static List<String> problems(SourceFile source) {
    var problems = new ArrayList<String>();
    var lines = source.lines();
    boolean afterMarkdown = false;
    boolean inTextBlock = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean markdown = !inTextBlock && line.strip().startsWith("///");
      String at = source.path() + ":" + (i + 1);
      if (markdown && line.length() > COLUMNS_MAX) {
        problems.add(at + " a `///` line over " + COLUMNS_MAX + " columns; break it by hand");
      }
      if (afterMarkdown && !markdown && line.strip().startsWith("//")) {
        problems.add(at + " a `//` line right after `///` is lost to Javadoc; make it `///`");
      }
      afterMarkdown = markdown;
      inTextBlock ^= countOf("\"\"\"", line) % 2 == 1;
    }
    return problems;
  }

  private static int countOf(String part, String line) {
    int count = 0;
    for (int at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }
}
