package dev.superstep.language;

import java.util.ArrayList;
import java.util.Comparator;

/// Writes findings as text for people: the message, the place, the line with what is meant
/// underlined, and the next step.
///
/// ```text
/// error[E-rag-unknown-node]: there is no node `setle`
///   --> desk.rag:12:34
///    |
/// 12 |   node close { next setle }
///    |                     ^^^^^ not a node of this graph
///    = help: did you mean `settle`?
/// ```
public final class DiagnosticText {
  private final Source source;
  private final StringBuilder text = new StringBuilder();

  private DiagnosticText(Source source) {
    this.source = source;
  }

  /// All findings, and the number of those that were left out. Empty if there are none.
  public static String of(Source source, Diagnostics.Report report) {
    var all = new StringBuilder();
    for (var diagnostic : report.shown()) {
      if (!all.isEmpty()) all.append('\n');
      all.append(of(source, diagnostic));
    }
    if (report.omitted() > 0) {
      all.append('\n').append("and ").append(report.omitted()).append(" more\n");
    }
    return all.toString();
  }

  /// A single finding.
  public static String of(Source source, Diagnostic diagnostic) {
    var writer = new DiagnosticText(source);
    writer.write(diagnostic);
    return writer.text.toString();
  }

  private record Mark(Label label, int line, boolean isPrimary) {}

  private void write(Diagnostic diagnostic) {
    var marks = new ArrayList<Mark>();
    marks.add(mark(diagnostic.primary(), true));
    for (var other : diagnostic.others()) marks.add(mark(other, false));
    marks.sort(
        Comparator.comparingInt(Mark::line)
            .thenComparingInt(m -> m.isPrimary() ? 0 : 1)
            .thenComparingInt(m -> m.label().span().start()));
    int digits = String.valueOf(marks.getLast().line()).length();
    var gutter = " ".repeat(digits);
    var at = source.position(diagnostic.span().start());
    text.append(diagnostic.severity().word()).append('[').append(diagnostic.code()).append("]: ");
    text.append(diagnostic.message()).append('\n');
    text.append(gutter).append("--> ").append(CodePoints.quote(source.name(), 200));
    text.append(':').append(at.line()).append(':').append(at.column()).append('\n');
    text.append(gutter).append(" |\n");
    int last = 0;
    for (var mark : marks) {
      if (last > 0 && mark.line() > last + 1) text.append("...\n");
      underline(mark, gutter, mark.line() != last);
      last = mark.line();
    }
    if (!diagnostic.help().isEmpty()) {
      text.append(gutter).append(" = help: ").append(diagnostic.help()).append('\n');
    }
  }

  private Mark mark(Label label, boolean isPrimary) {
    return new Mark(label, source.line(label.span().start()), isPrimary);
  }

  private void underline(Mark mark, String gutter, boolean withLine) {
    var span = source.lineSpan(mark.line());
    var line = source.text(span);
    int from = Math.min(mark.label().span().start() - span.start(), line.length());
    int to = Math.min(mark.label().span().end() - span.start(), line.length());
    var columns = TextColumns.of(line, from, Math.max(from, to));
    if (withLine) {
      var number = String.valueOf(mark.line());
      text.append(" ".repeat(gutter.length() - number.length())).append(number).append(" |");
      if (!columns.text().isEmpty()) text.append(' ').append(columns.text());
      text.append('\n');
    }
    text.append(gutter).append(" | ").append(" ".repeat(columns.column()));
    text.append((mark.isPrimary() ? "^" : "-").repeat(Math.min(columns.width(), 160)));
    if (!mark.label().text().isEmpty()) text.append(' ').append(mark.label().text());
    text.append('\n');
  }
}
