package dev.superstep.tool;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// A tool asked its context for a value that the program did not inject. The model cannot repair
/// this, so it fails the run.
public final class MissingInjection extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String tool;
  private final String type;

  MissingInjection(String tool, Class<?> type, List<String> known) {
    super(
        "tool.missing-injection",
        "Tool `%s` asks for a %s, which was not injected. Injected: %s. Add it with Injected.and."
            .formatted(
                tool, type.getSimpleName(), known.isEmpty() ? "none" : String.join(", ", known)),
        null);
    this.tool = tool;
    this.type = type.getName();
  }

  /// The tool that asked.
  public String tool() {
    return tool;
  }

  /// The class that it asked for.
  public String type() {
    return type;
  }
}
