package dev.superstep.terminal;

import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.state.Progress;
import dev.superstep.terminal.state.StepStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// A conversation so far in a few lines, for models that go on with it and for people. A projection
/// of its steps and commands: nothing of it is stored. Immutable.
///
/// @param achievements the steps that are complete
/// @param artifacts the files that commands which succeeded wrote, as the commands name them
/// @param environment the variables that these commands set, and the directories they went to
/// @param preferences the reasons for which a person denied a command, and the changes that a
///   person made to one
public record ContextSummary(
    List<String> achievements,
    List<String> artifacts,
    List<String> environment,
    List<String> preferences) {
  private static final int ENTRIES_MAX = 20;
  private static final Path ROOT = Path.of("/");
  private static final RiskContext ANYWHERE = RiskContext.of(ROOT, ROOT, ROOT);

  public ContextSummary {
    achievements = newest(achievements);
    artifacts = newest(artifacts);
    environment = newest(environment);
    preferences = newest(preferences);
  }

  static ContextSummary of(Progress progress, List<CommandAttempt> attempts) {
    var achievements = new ArrayList<String>();
    for (var step : progress.steps()) {
      if (step.status() == StepStatus.COMPLETE) achievements.add(step.description());
    }
    var artifacts = new LinkedHashSet<String>();
    var environment = new LinkedHashSet<String>();
    var preferences = new LinkedHashSet<String>();
    for (var attempt : attempts) {
      preference(attempt, preferences);
      if (!attempt.isSuccess()) continue;
      var script = ShellScript.parse(attempt.command());
      for (var fact : RiskAssessor.standard().assess(script, ANYWHERE).facts()) {
        switch (fact.kind()) {
          case WRITES -> again(artifacts, fact.value());
          case DELETES -> artifacts.remove(fact.value());
          case ENVIRONMENT -> again(environment, "variable " + fact.value());
          case CHANGES_DIRECTORY -> again(environment, "directory " + fact.value());
          case RUNS, RUNS_FILE, READS, CONNECTS, PRIVILEGE -> {}
        }
      }
    }
    return new ContextSummary(
        achievements, List.copyOf(artifacts), List.copyOf(environment), List.copyOf(preferences));
  }

  private static void preference(CommandAttempt attempt, Collection<String> into) {
    var detail = attempt.decision().detail();
    if (detail.isBlank()) return;
    if (attempt.decision().kind() == CommandAttempt.Kind.DENIED) {
      into.add("not `%s`: %s".formatted(attempt.command(), detail));
    } else if (attempt.decision().kind() == CommandAttempt.Kind.EDITED) {
      into.add("not `%s`, but `%s`".formatted(attempt.command(), detail));
    }
  }

  private static void again(SequencedSet<String> values, String value) {
    values.remove(value);
    values.addLast(value);
  }

  private static List<String> newest(List<String> values) {
    return List.copyOf(values.subList(Math.max(0, values.size() - ENTRIES_MAX), values.size()));
  }

  /// Returns whether there is nothing to say.
  public boolean isEmpty() {
    return achievements.isEmpty()
        && artifacts.isEmpty()
        && environment.isEmpty()
        && preferences.isEmpty();
  }

  /// The summary on one line; empty if there is nothing to say.
  public String text() {
    var parts = new ArrayList<String>();
    add(parts, "done", achievements);
    add(parts, "files written", artifacts);
    add(parts, "set", environment);
    add(parts, "the person wants", preferences);
    return String.join(". ", parts);
  }

  private static void add(List<String> parts, String title, List<String> values) {
    if (!values.isEmpty()) parts.add(title + ": " + String.join("; ", values));
  }
}
