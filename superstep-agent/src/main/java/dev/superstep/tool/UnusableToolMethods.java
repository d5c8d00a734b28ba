package dev.superstep.tool;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// Methods cannot be tools as they are. Says everything that is wrong with all of them.
public final class UnusableToolMethods extends SuperstepException {
  private final String host;
  private final List<String> problems;

  UnusableToolMethods(Class<?> host, List<String> problems) {
    super(
        "tool.unusable-methods",
        "Methods of %s cannot be tools:\n- %s"
            .formatted(host.getName(), String.join("\n- ", problems)));
    this.host = host.getName();
    this.problems = List.copyOf(problems);
  }

  /// The class that has the methods.
  public String host() {
    return host;
  }

  /// The problems and their remedies, a sentence each, which begins with the method.
  public List<String> problems() {
    return problems;
  }
}
