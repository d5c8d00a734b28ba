package dev.superstep.cli.repl;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.Style;
import dev.superstep.language.Diagnostic;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Source;
import dev.superstep.repl.CellError;
import dev.superstep.repl.CellResult;
import dev.superstep.repl.agent.TypedSession;
import java.util.List;
import java.util.stream.Collectors;

/// Shows what came of cells. What they print, their values and answers go to standard output; all
/// else goes to standard error, and beside errors only where a person sits. One thread at a time.
final class SessionOutput {
  private static final int VARIABLES_MAX = 12;

  private final Terminal terminal;
  private final boolean isSeen;
  private final boolean isColored;

  /// @param isSeen whether a person sits there
  SessionOutput(Terminal terminal, boolean isSeen, boolean isColored) {
    this.terminal = terminal;
    this.isSeen = isSeen;
    this.isColored = isColored;
  }

  /// Shows a cell that ran.
  ///
  /// @param name of the cell, or of its file
  /// @param calls what it called, in words; empty if nothing
  void cell(TypedSession.Ran ran, String name, String calls) {
    var result = ran.result();
    var printed = result.output().shown();
    if (!printed.isEmpty()) out(printed.endsWith("\n") ? printed : printed + "\n");
    var value = result.value();
    if (value != null) out(value.text() + "\n");
    if (ran.answer() != null) out(ran.answer().endsWith("\n") ? ran.answer() : ran.answer() + "\n");
    for (var found : result.diagnostics()) finding(Source.of(name, ran.source()), found);
    if (result.error() != null) places(result.error(), name);
    if (!result.changed().isEmpty()) note(changes(result.changed()));
    if (!calls.isEmpty()) note(calls);
  }

  /// The functions of earlier cells that an error came through.
  private void places(CellError error, String name) {
    for (var place : error.places()) {
      if (place.cell().name().equals(name) && place.function().isEmpty()) continue;
      var at = place.cell().position(place.span().start());
      var function = place.function().isEmpty() ? "" : " in " + place.function() + "()";
      say(
          "  at %s:%d:%d%s".formatted(place.cell().name(), at.line(), at.column(), function),
          Style.PLAIN);
    }
  }

  private void finding(Source source, Diagnostic found) {
    var lines = SafeText.of(DiagnosticText.of(source, found)).split("\n", -1);
    for (var line : lines) {
      if (line.isEmpty()) continue;
      err(isColored ? colored(line) : line);
    }
  }

  private static String colored(String line) {
    if (line.startsWith("error[")) return Style.DANGER.of(line);
    if (line.startsWith("warning[")) return Style.WARNING.of(line);
    int mark = line.matches(" *\\| +[-^]+.*") ? line.indexOf('|') + 1 : 0;
    return mark == 0 ? line : line.substring(0, mark) + Style.DANGER.of(line.substring(mark));
  }

  private static String changes(List<CellResult.Variable> changed) {
    var shown =
        changed.stream()
            .limit(VARIABLES_MAX)
            .map(SessionOutput::variable)
            .collect(Collectors.joining(", "));
    int more = changed.size() - VARIABLES_MAX;
    return more > 0 ? shown + ", and " + more + " more" : shown;
  }

  /// A variable without its value, such as `x: list, 3`.
  static String variable(CellResult.Variable variable) {
    if (variable.type().isEmpty()) return variable.name() + " is gone";
    var size = variable.size() > 0 ? ", " + "%,d".formatted(variable.size()) : "";
    return variable.name() + ": " + variable.type() + size;
  }

  /// Shows the answer to a command.
  void told(String text) {
    out(text.endsWith("\n") ? text : text + "\n");
  }

  /// Says something that helps a person, and nothing where none sits.
  void note(String text) {
    if (isSeen) say(text, Style.FAINT);
  }

  /// Says something about the session.
  void say(String text, Style style) {
    var safe = SafeText.line(text);
    err(isColored ? style.of(safe) : safe);
  }

  /// Ends a line that something else began, where a person sits.
  void newLine() {
    if (isSeen) err("");
  }

  /// An error that is none of the language.
  void error(String code, String text) {
    say("error[" + code + "]: " + text, Style.DANGER);
  }

  private void out(String text) {
    terminal.out().print(SafeText.of(text));
    terminal.out().flush();
  }

  private void err(String text) {
    terminal.err().println(text);
    terminal.err().flush();
  }
}
