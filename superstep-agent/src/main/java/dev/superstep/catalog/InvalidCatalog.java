package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;
import java.util.List;
import java.util.stream.Collectors;

/// A catalogue cannot be used. Carries all problems, not only the first.
public final class InvalidCatalog extends SuperstepException {
  private static final int SHOWN_MAX = 20;
  private final List<CatalogProblem> problems;

  InvalidCatalog(List<CatalogProblem> problems) {
    super("catalog.invalid", message(problems));
    this.problems = List.copyOf(problems);
  }

  /// Everything that is wrong, in the order of the catalogue.
  public List<CatalogProblem> problems() {
    return problems;
  }

  private static String message(List<CatalogProblem> problems) {
    var more = problems.size() - SHOWN_MAX;
    return "The model catalogue has "
        + (problems.size() == 1 ? "a problem" : problems.size() + " problems")
        + problems.stream()
            .limit(SHOWN_MAX)
            .map(p -> "\n  " + p.code() + ": " + p.message())
            .collect(Collectors.joining("", ":", ""))
        + (more > 0 ? "\n  and " + more + " more" : "");
  }
}
