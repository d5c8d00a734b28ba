package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.Problem;
import java.util.List;
import java.util.stream.Collectors;

/// A graph's definition cannot run. Carries all problems, not only the first.
public final class InvalidGraph extends SuperstepException {
  private final List<Problem> problems;

  public InvalidGraph(String graph, List<Problem> problems) {
    super("graph.invalid", message(graph, problems));
    this.problems = List.copyOf(problems);
  }

  /// Everything that is wrong, in the order of the definition.
  public List<Problem> problems() {
    return problems;
  }

  private static String message(String graph, List<Problem> problems) {
    return "Graph `"
        + graph
        + "` has "
        + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
        + problems.stream()
            .map(p -> "\n  " + p.code() + ": " + p.message())
            .collect(Collectors.joining("", ":", ""));
  }
}
