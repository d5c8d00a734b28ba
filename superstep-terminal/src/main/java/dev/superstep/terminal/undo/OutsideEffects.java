package dev.superstep.terminal.undo;

import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.risk.RiskLevel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// Effects of a command that no undo takes back, as far as its words tell. To be said before it is
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

  /// Returns whether a command may change anything that an undo would be about: all but those of
  /// which nothing but reading is known.
  public static boolean changesAnything(Assessment risk) {
    return risk.level() != RiskLevel.LOW
        || risk.facts().stream().anyMatch(fact -> isWriting(fact.kind()));
  }

  private static boolean isWriting(Fact.Kind kind) {
    return switch (kind) {
      case WRITES, DELETES, RUNS_FILE, CONNECTS, PRIVILEGE -> true;
      case RUNS, READS, ENVIRONMENT, CHANGES_DIRECTORY -> false;
    };
  }

  /// Sentences on the paths that a command writes or deletes, and whose contents are not kept.
  ///
  /// @param unkept paths of the workspace with their reasons, from [WorkspaceUndo#unkept]
  public static List<String> unkept(Assessment risk, RiskContext context, List<String> unkept) {
    if (unkept.isEmpty()) return List.of();
    var touched =
        risk.facts().stream()
            .filter(fact -> isTouched(fact.kind()))
            .filter(fact -> !isElsewhere(fact.value(), context))
            .map(fact -> context.directory().resolve(fact.value()).normalize())
            .toList();
    return unkept.stream()
        .filter(gap -> isAmong(gap, context, touched))
        .map(gap -> "the content of " + gap)
        .toList();
  }

  private static boolean isTouched(Fact.Kind kind) {
    return kind == Fact.Kind.WRITES || kind == Fact.Kind.DELETES;
  }

  private static boolean isAmong(String gap, RiskContext context, List<Path> touched) {
    // A gap is a path, a colon and a reason.
    var path = context.workspace().resolve(gap.substring(0, Math.max(0, gap.lastIndexOf(": "))));
    return touched.stream().anyMatch(path::startsWith);
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
