package dev.superstep.eval;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Labelled;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Measures a subject on the cases of a dataset.
///
/// ```java
/// var result = Evaluation.named("support-1", dataset, Subject.agent(agent))
///     .checks(Checks.containsExpected(), Checks.tools(ToolMatch.IN_ORDER))
///     .repeats(3)
///     .run(store);
/// System.out.println(TextReport.of(result));
/// ```
///
/// Each trial, which is one try of a case, is a thread of its own in the store, and so is its run
/// of the subject. So an evaluation that was stopped or killed goes on when it is run again under
/// its name: trials that have a result are not made again, and a trial that was at work goes on
/// from its last finished step. Several processes may work on one evaluation.
///
/// Everything that a subject does is a result, also if it fails, takes too long, meets a limit of
/// its own or asks a question that the case does not answer. Only what stops the evaluation itself
/// is none, such as its budget: then the trial is [missing][EvaluationResult#missing], and made by
/// the next run.
///
/// Immutable; each method returns a changed copy. Safe for many threads.
public final class Evaluation {
  private static final int REPEATS_MAX = 1_000;
  private static final int CONCURRENCY_MAX = 1_000;

  private final EvaluationSettings settings;

  private Evaluation(EvaluationSettings settings) {
    this.settings = settings;
  }

  /// An evaluation without checks: a trial passes if it ends as its case expects.
  ///
  /// @param name names its results in the store, 1 to 100 characters of letters, digits, `.`, `_`
  ///   and `-`
  public static Evaluation named(String name, Dataset dataset, Subject subject) {
    return new Evaluation(EvaluationSettings.of(name, dataset, subject));
  }

  /// Returns a copy whose results have another name.
  public Evaluation withName(String other) {
    return new Evaluation(settings.withName(other));
  }

  /// Adds checks. Their names must be unique.
  public Evaluation checks(Check... more) {
    return new Evaluation(settings.withChecks(List.of(more)));
  }

  /// Adds a judge as a check, and measures first how often it agrees with people, by examples that
  /// they have labelled.
  ///
  /// @param kappa the least of Cohen's kappa; a judge below it is marked in the result, and its
  ///   verdicts are not to be trusted
  public Evaluation judgedBy(Judge judge, List<Labelled> examples, double kappa) {
    return new Evaluation(
        settings
            .withChecks(List.of(judge))
            .withCalibration(new JudgeCalibration(judge, examples, kappa)));
  }

  /// Sets how often each case is tried, 1 to 1,000; 1 unless set. More may be asked for later: the
  /// trials that there are count.
  public Evaluation repeats(int times) {
    return new Evaluation(settings.with(s -> s.repeats = within("repeats", times, REPEATS_MAX)));
  }

  /// Sets how many trials are made at once, 1 to 1,000; 4 unless set.
  public Evaluation concurrency(int trials) {
    return new Evaluation(
        settings.with(s -> s.concurrency = within("concurrency", trials, CONCURRENCY_MAX)));
  }

  /// Limits what all trials and judges spend together, those of earlier runs under the name
  /// included. A call of a model that might go over it is not made, no more trials begin, and the
  /// result says which are missing. Calls of agents, of their sub-agents and of judges are counted
  /// before they are made; what nodes ask by themselves is counted when the trial is over.
  ///
  /// A limit on tokens or money caps the length of answers, and so changes requests: a recording of
  /// a model was made without that. Limit the calls, then.
  public Evaluation budget(Budget most) {
    return new Evaluation(settings.with(s -> s.budget = most));
  }

  /// Sets the prices by which costs are counted; without them, costs are 0.
  ///
  /// @param currency that of the prices, for reports
  public Evaluation prices(Prices prices, String currency) {
    return new Evaluation(
        settings.with(s -> {
          s.prices = prices;
          s.currency = currency;
        }));
  }

  /// Limits the time of the subject in each trial; 10 minutes unless set. Then the trial ends as
  /// timed out, which is a result.
  public Evaluation timeout(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("timeout must be positive, was " + most);
    }
    return new Evaluation(settings.with(s -> s.timeout = most));
  }

  /// Makes only the trials of cases that meet a condition. The dataset stays the same: later runs
  /// may make those of others.
  public Evaluation only(Predicate<Case> condition) {
    return new Evaluation(settings.with(s -> s.selected = condition));
  }

  /// Hears each trial that gets its result in this run, on the thread of the trial.
  public Evaluation listener(Consumer<Trial> listener) {
    return new Evaluation(settings.with(s -> s.listener = listener));
  }

  /// Begins with no results if the subject, the dataset or the checks are not those that the name
  /// has results of. Without this, [#run] refuses such an evaluation. The old results stay in the
  /// store, and count no more.
  public Evaluation startAnew() {
    return new Evaluation(settings.with(s -> s.startsAnew = true));
  }

  /// The name.
  public String name() {
    return settings.name;
  }

  /// The checks, in their order.
  public List<Check> checks() {
    return settings.checks;
  }

  /// The dataset.
  public Dataset dataset() {
    return settings.dataset;
  }

  /// Makes the trials that are missing, and returns the results of all.
  ///
  /// @param store keeps the results: a file of SQLite, PostgreSQL, or in memory for tests
  /// @throws EvaluationChanged if the name has results of something else
  /// @throws dev.superstep.checkpoint.StoreFailed if the store fails
  /// @throws InterruptedException if the calling thread is interrupted; finished trials are saved
  public EvaluationResult run(Checkpointer store) throws InterruptedException {
    return new EvaluationRun(settings, store).run();
  }

  /// Returns the results that there are, and makes none.
  ///
  /// @throws UnknownEvaluation if the store has nothing of the name
  public static EvaluationResult stored(String name, Checkpointer store) {
    return StoredEvaluations.in(store).result(EvaluationSettings.checkedName(name));
  }

  private static int within(String what, int value, int most) {
    if (value >= 1 && value <= most) return value;
    throw new IllegalArgumentException(what + " must be 1 to " + most + ", was " + value);
  }

  @Override
  public String toString() {
    return "Evaluation[" + settings.name + ", " + settings.subject + "]";
  }
}
