package dev.superstep.terminal.risk;

import java.util.List;
import java.util.function.Predicate;

/// Tells commands from sentences by rules. `!` before a text forces a command, `?` a sentence.
/// Immutable.
public final class InputClassifier {
  private static final InputClassifier STANDARD = new InputClassifier();

  private InputClassifier() {}

  /// The built-in rules.
  public static InputClassifier standard() {
    return STANDARD;
  }

  /// Classifies a line.
  ///
  /// @param programs returns whether a name is a program that can be run here
  public InputClassification classify(String line, Predicate<String> programs) {
    return new InputClassification(
        InputKind.AMBIGUOUS, InputKind.PROMPT, 0, List.of("no rules yet"), List.of(), line.strip());
  }
}
