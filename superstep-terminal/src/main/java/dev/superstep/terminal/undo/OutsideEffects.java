package dev.superstep.terminal.undo;

import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.RiskContext;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// What a command does that no undo takes back, as far as its words tell. To be said before it is
/// approved.
public final class OutsideEffects {
  private OutsideEffects() {}

  /// Sentences, each once; empty if all that it does is in the workspace.
  public static List<String> of(Assessment risk, RiskContext context) {
    return risk.facts().stream()
        .filter(fact -> isOutside(fact, context))
        .map(fact -> "it " + fact.kind().label() + " " + fact.value())
        .distinct()
        .toList();
  }

  private static boolean isOutside(Fact fact, RiskContext context) {
    return switch (fact.kind()) {
      case CONNECTS, PRIVILEGE -> true;
      case WRITES, DELETES -> isElsewhere(fact.value(), context);
      case RUNS, RUNS_FILE, READS, ENVIRONMENT, CHANGES_DIRECTORY -> false;
    };
  }

  private static boolean isElsewhere(String value, RiskContext context) {
    try {
      var path =
          value.equals("~") || value.startsWith("~/")
              ? context.home().resolve(value.substring(Math.min(2, value.length())))
              : context.directory().resolve(Path.of(value));
      return !path.normalize().startsWith(context.workspace());
    } catch (InvalidPathException _) {
      return true;
    }
  }
}
