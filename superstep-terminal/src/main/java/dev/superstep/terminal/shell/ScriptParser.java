package dev.superstep.terminal.shell;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Source;
import java.util.List;

/// Parses a script.
final class ScriptParser {
  private ScriptParser() {}

  static ShellScript parse(Source source, MappedText text) {
    var span = text.span(0, text.length());
    var all = new ShellCommand.Opaque("the parser is not written yet", span);
    var item = new ShellCommand.Item(all, ShellCommand.Operator.THEN);
    return new ShellScript(
        source,
        new ShellCommand.Sequence(List.of(item), span),
        List.of(Diagnostic.error("E-shell-opaque", span, "the parser is not written yet")));
  }
}
