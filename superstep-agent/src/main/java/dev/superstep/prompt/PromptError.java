package dev.superstep.prompt;

import dev.superstep.json.SuperstepException;
import java.util.ArrayList;
import java.util.List;

/// A prompt template cannot be filled with the values that were given. No model was asked. The
/// message names variables, never values.
public final class PromptError extends SuperstepException {
  private final String template;
  private final List<String> missing;
  private final List<String> unknown;

  /// An error for a template.
  ///
  /// @param template its name
  /// @param missing the required variables without a value
  /// @param unknown the values without a variable
  PromptError(String template, List<String> missing, List<String> unknown) {
    super("prompt.values", message(template, missing, unknown));
    this.template = template;
    this.missing = List.copyOf(missing);
    this.unknown = List.copyOf(unknown);
  }

  private static String message(String template, List<String> missing, List<String> unknown) {
    var parts = new ArrayList<String>();
    if (!missing.isEmpty()) parts.add("has no value for " + quoted(missing));
    if (!unknown.isEmpty()) parts.add("has no variable " + quoted(unknown));
    return "Prompt template `%s` %s. Give each variable a value of its kind, and no others."
        .formatted(template, String.join(", and ", parts));
  }

  private static String quoted(List<String> names) {
    return String.join(", ", names.stream().map(name -> "`" + name + "`").toList());
  }

  /// The name of the template.
  public String template() {
    return template;
  }

  /// The required variables without a value.
  public List<String> missing() {
    return missing;
  }

  /// The values without a variable.
  public List<String> unknown() {
    return unknown;
  }
}
