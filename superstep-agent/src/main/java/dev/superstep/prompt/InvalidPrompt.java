package dev.superstep.prompt;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The text of a prompt template is not one.
public final class InvalidPrompt extends SuperstepException {
  private final List<String> problems;

  /// An error for a template.
  ///
  /// @param template its name
  /// @param problems all that is wrong, a sentence each
  InvalidPrompt(String template, List<String> problems) {
    super(
        "prompt.invalid",
        "Prompt template `%s` is not valid:\n- %s"
            .formatted(template, String.join("\n- ", problems)));
    this.problems = List.copyOf(problems);
  }

  /// All that is wrong, a sentence each.
  public List<String> problems() {
    return problems;
  }
}
