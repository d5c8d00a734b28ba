package dev.superstep.repl.agent;

import dev.superstep.json.SuperstepException;
import dev.superstep.language.Suggestion;
import java.util.List;

/// A template of instructions has a placeholder that stands for nothing.
public final class UnknownPlaceholder extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String placeholder;

  UnknownPlaceholder(String placeholder, List<String> known) {
    super(
        "repl.unknown-placeholder",
        "A template has no placeholder `{%s}`; there are {%s}.%s For braces as such, double them."
            .formatted(
                placeholder,
                String.join("}, {", known),
                Suggestion.nearest(placeholder, known)
                    .map(near -> " Did you mean `{" + near + "}`?")
                    .orElse("")));
    this.placeholder = placeholder;
  }

  /// The name between the braces.
  public String placeholder() {
    return placeholder;
  }
}
