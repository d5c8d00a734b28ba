package dev.superstep.eval;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Digests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The settings of an evaluation. Not changed once they are made.
final class EvaluationSettings {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
  private static final int CONCURRENCY = 4;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  final String name;
  final Dataset dataset;
  final Subject subject;
  List<Check> checks = List.of();
  List<JudgeCalibration> calibrations = List.of();
  int repeats = 1;
  int concurrency = CONCURRENCY;
  Budget budget = Budget.unlimited();
  Prices prices = Prices.unknown();
  String currency = "";
  Duration timeout = TIMEOUT;
  Predicate<Case> selected = _ -> true;
  Consumer<Trial> listener = _ -> {};
  boolean startsAnew;

  private EvaluationSettings(String name, Dataset dataset, Subject subject) {
    this.name = name;
    this.dataset = dataset;
    this.subject = subject;
  }

  static EvaluationSettings of(String name, Dataset dataset, Subject subject) {
    return new EvaluationSettings(checkedName(name), dataset, subject);
  }

  static String checkedName(String name) {
    if (NAME.matcher(name).matches()) return name;
    throw new IllegalArgumentException(
        "name must have 1 to 100 letters, digits, `.`, `_` or `-`, was `" + name + "`");
  }

  EvaluationSettings withName(String other) {
    return copy(checkedName(other));
  }

  EvaluationSettings with(Consumer<EvaluationSettings> change) {
    var copy = copy(name);
    change.accept(copy);
    return copy;
  }

  private EvaluationSettings copy(String as) {
    var copy = new EvaluationSettings(as, dataset, subject);
    copy.checks = checks;
    copy.calibrations = calibrations;
    copy.repeats = repeats;
    copy.concurrency = concurrency;
    copy.budget = budget;
    copy.prices = prices;
    copy.currency = currency;
    copy.timeout = timeout;
    copy.selected = selected;
    copy.listener = listener;
    copy.startsAnew = startsAnew;
    return copy;
  }

  EvaluationSettings withChecks(List<Check> more) {
    var all = new ArrayList<>(checks);
    for (var check : more) {
      if (all.stream().anyMatch(one -> one.name().equals(check.name()))) {
        throw new IllegalArgumentException("There are two checks `" + check.name() + "`.");
      }
      all.add(check);
    }
    return with(s -> s.checks = List.copyOf(all));
  }

  EvaluationSettings withCalibration(JudgeCalibration more) {
    var all = new ArrayList<>(calibrations);
    all.add(more);
    return with(s -> s.calibrations = List.copyOf(all));
  }

  /// The versions of the checks. Examples of a judge are part of its version here: its agreement is
  /// a result, too.
  List<String> checkVersions() {
    var all = new ArrayList<>(checks.stream().map(Check::version).toList());
    for (var one : calibrations) {
      var labels = new StringBuilder();
      for (var example : one.examples()) {
        labels.append(example.item().digest()).append(example.output().text());
        labels.append(example.passed()).append('\n');
      }
      all.add(one.judge().name() + " labelled " + Digests.of(labels.toString()));
    }
    return all;
  }
}
