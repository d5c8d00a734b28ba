package dev.superstep.language.server;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Severity;
import dev.superstep.language.Span;
import dev.superstep.language.rag.RagCode;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.DiagnosticRelatedInformation;
import org.eclipse.lsp4j.DiagnosticSeverity;
import org.eclipse.lsp4j.Location;

/// The findings about a source as editors show them.
final class DocumentDiagnostics {
  private static final String ORIGIN = "rag";

  private DocumentDiagnostics() {}

  /// All findings that are shown. That nothing is registered is no news to somebody who writes.
  static List<org.eclipse.lsp4j.Diagnostic> of(OpenDocument document) {
    var report = document.compilation().report();
    var all = new ArrayList<org.eclipse.lsp4j.Diagnostic>();
    for (var each : report.shown()) {
      if (each.code().equals(RagCode.NAMES_UNRESOLVED.code())) continue;
      all.add(diagnostic(document, each));
    }
    if (report.omitted() > 0) {
      var more =
          new org.eclipse.lsp4j.Diagnostic(
              document.range(Span.BEGINNING), report.omitted() + " more findings are not shown");
      more.setSeverity(DiagnosticSeverity.Information);
      more.setSource(ORIGIN);
      all.add(more);
    }
    return all;
  }

  private static org.eclipse.lsp4j.Diagnostic diagnostic(OpenDocument document, Diagnostic from) {
    var help = from.help().isEmpty() ? "" : "\nhelp: " + from.help();
    var made = new org.eclipse.lsp4j.Diagnostic(document.range(from.span()), from.message() + help);
    made.setSeverity(severity(from.severity()));
    made.setCode(from.code());
    made.setSource(ORIGIN);
    var others = new ArrayList<DiagnosticRelatedInformation>();
    for (var other : from.others()) {
      var at = new Location(document.uri(), document.range(other.span()));
      others.add(new DiagnosticRelatedInformation(at, other.text()));
    }
    if (!others.isEmpty()) made.setRelatedInformation(others);
    return made;
  }

  private static DiagnosticSeverity severity(Severity severity) {
    return switch (severity) {
      case ERROR -> DiagnosticSeverity.Error;
      case WARNING -> DiagnosticSeverity.Warning;
      case NOTE -> DiagnosticSeverity.Information;
    };
  }
}
