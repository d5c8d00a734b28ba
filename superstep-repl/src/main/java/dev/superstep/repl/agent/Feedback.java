package dev.superstep.repl.agent;

import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Source;
import dev.superstep.repl.CellResult;
import java.util.Map;
import java.util.stream.Collectors;

/// The words by which a model is told what its cell did: short, and without the values of
/// variables.
final class Feedback {
  /// Said when a reply has no cell.
  static final String NUDGE =
      "Your reply has no fenced block, so nothing ran. Reply with one block in ``` fences; call"
          + " answer(value) in it when you know the answer.";

  /// Said when a cell answers before anything was read.
  static final String UNREAD =
      "The answer was not taken: nothing of `context` has been read yet. Look into it first, or"
          + " answer again if it is not needed.";

  private static final int VARIABLES_MAX = 30;
  private static final int FINDINGS_MAX = 4_000;

  private Feedback() {}

  static String of(int number, String source, CellResult result, Map<String, Long> left) {
    var text = new StringBuilder();
    boolean isDone = result.isComplete();
    text.append("Cell ").append(number).append(isDone ? " ran.\n" : " failed.\n");
    if (!result.diagnostics().isEmpty()) {
      var cell = Source.of("cell " + number, source);
      var shown =
          result.diagnostics().stream()
              .map(finding -> DiagnosticText.of(cell, finding))
              .collect(Collectors.joining("\n"));
      text.append(cut(shown)).append('\n');
    }
    if (!result.output().shown().isEmpty()) {
      text.append("Output:\n").append(result.output().shown());
      if (!result.output().shown().endsWith("\n")) text.append('\n');
    }
    var value = result.value();
    if (value != null) {
      text.append("Value (").append(value.type()).append("): ").append(value.text()).append('\n');
    }
    if (!result.changed().isEmpty()) {
      text.append("Variables: ");
      text.append(
          result.changed().stream()
              .limit(VARIABLES_MAX)
              .map(Feedback::variable)
              .collect(Collectors.joining(", ")));
      int more = result.changed().size() - VARIABLES_MAX;
      if (more > 0) text.append(", and ").append(more).append(" more");
      text.append('\n');
    }
    text.append("Left: ");
    text.append(
        left.entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey().replace('_', ' '))
            .collect(Collectors.joining(", ")));
    return text.append('.').toString();
  }

  private static String cut(String text) {
    return text.length() <= FINDINGS_MAX ? text : text.substring(0, FINDINGS_MAX) + "…";
  }

  private static String variable(CellResult.Variable variable) {
    if (variable.type().isEmpty()) return variable.name() + " (gone)";
    var size = variable.size() > 0 ? ", " + variable.size() : "";
    return variable.name() + " (" + variable.type() + size + ")";
  }
}
