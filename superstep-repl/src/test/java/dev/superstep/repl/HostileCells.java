package dev.superstep.repl;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Source;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;

/// Runs a text as a cell, whatever it is: it must end as a result whose findings can be shown.
final class HostileCells {
  private static final Capabilities HOST =
      Capabilities.none()
          .with("context", new HostValue.Document(TextSource.of("line one\nline two\n")))
          .with(HostFunction.of("tool(name, *, limit=)", a -> HostValue.of("done")));

  private static final ReplPolicy POLICY =
      ReplPolicy.standard().withOperations(20_000).withMemory(4 << 20).withDepth(60);

  private HostileCells() {}

  static CellResult survives(String text) {
    var session = ReplSession.open(POLICY, HOST);
    var result = session.execute(text);
    var source = Source.of("cell", text);
    for (Diagnostic finding : result.diagnostics()) {
      if (finding.span().end() > text.length()) {
        throw new AssertionError(finding.code() + " lies outside of the cell");
      }
      if (DiagnosticText.of(source, finding).isEmpty()) throw new AssertionError(finding.code());
    }
    if (session.execute("1").error() != null) throw new AssertionError("the session is not usable");
    return result;
  }
}
