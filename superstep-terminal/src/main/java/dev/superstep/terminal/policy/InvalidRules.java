package dev.superstep.terminal.policy;

import dev.superstep.json.SuperstepException;
import java.util.List;
import java.util.stream.Collectors;

/// A file of rules was refused as a whole, since a rule that is left out could be one that denies.
public final class InvalidRules extends SuperstepException {
  private final List<Problem> problems;

  /// Something that is wrong with a file of rules.
  ///
  /// @param line from 1
  /// @param column from 1
  public record Problem(int line, int column, String message) {}

  InvalidRules(String file, List<Problem> problems) {
    super("terminal.invalid-rules", text(file, problems));
    this.problems = List.copyOf(problems);
  }

  private static String text(String file, List<Problem> problems) {
    return problems.stream()
        .map(p -> file + ":" + p.line() + ":" + p.column() + ": " + p.message())
        .collect(Collectors.joining("\n", "", "\nNone of its rules counts until it is corrected."));
  }

  public List<Problem> problems() {
    return problems;
  }
}
