package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The input that a run is given, or the output that it ends with, is not what the text declares.
public final class InvalidFields extends SuperstepException {
  private final List<String> problems;

  public InvalidFields(String which, String graph, List<String> problems) {
    super(
        "rag.invalid-" + which,
        "the %s of graph `%s` is not what the graph declares: %s"
            .formatted(which, graph, String.join("; ", problems)));
    this.problems = List.copyOf(problems);
  }

  /// Everything that is wrong.
  public List<String> problems() {
    return problems;
  }
}
