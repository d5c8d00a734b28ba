package dev.superstep.eval;

import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.check.CheckResult;
import dev.superstep.eval.check.Checked;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.internal.Infrastructure;
import dev.superstep.eval.internal.LedgerModel;
import dev.superstep.eval.internal.Observations;
import dev.superstep.eval.internal.SpendCount;
import dev.superstep.eval.internal.TrialStopped;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.model.DurableModel;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Makes trials on threads of their own, or goes on with those that were begun. Safe for many
/// threads.
final class TrialRunner {
  private final EvaluationSettings settings;
  private final Checkpointer store;
  private final Ledger ledger;
  private final Work work;
  private final Graph graph;

  /// Makes the observation of a case.
  @FunctionalInterface
  private interface Observer {
    Observation observe(Case item, String thread) throws InterruptedException;
  }

  /// The work of a trial.
  private record Work(Observer observer, List<Check> checks, boolean isOfSubject) {}

  private TrialRunner(EvaluationSettings settings, Checkpointer store, Ledger ledger, Work work) {
    this.settings = settings;
    this.store = store;
    this.ledger = ledger;
    this.work = work;
    this.graph =
        TrialGraph.graph(
            (state, context) ->
                Update.of(
                    TrialGraph.OBSERVATION,
                    work.observer().observe(state.get(TrialGraph.CASE), threadOf(context))),
            this::checked);
  }

  /// Makes the trials of the subject.
  static TrialRunner ofSubject(EvaluationSettings settings, Checkpointer store, Ledger ledger) {
    var subject = new SubjectRun(settings, store, ledger);
    return new TrialRunner(
        settings, store, ledger, new Work(subject::observe, settings.checks, true));
  }

  /// Asks a judge about examples, as if a subject had made their outputs.
  static TrialRunner ofExamples(
      EvaluationSettings settings,
      JudgeCalibration calibration,
      Checkpointer store,
      Ledger ledger) {
    var outputs = new HashMap<String, Json>();
    for (var one : calibration.examples()) outputs.put(one.item().id(), one.output());
    Observer observer =
        (item, _) ->
            Observation.answer(outputs.getOrDefault(item.id(), Json.ofNull()))
                .withEnding(item.ending());
    return new TrialRunner(
        settings, store, ledger, new Work(observer, List.of(calibration.judge()), false));
  }

  boolean isOfSubject() {
    return work.isOfSubject();
  }

  /// Returns true if it is the budget of the evaluation that was exceeded, not one of a subject.
  boolean isOfEvaluation(BudgetExceeded error) {
    return error.who().equals(ledgerName(settings));
  }

  static String ledgerName(EvaluationSettings settings) {
    return "evaluation " + settings.name;
  }

  /// Makes a trial.
  ///
  /// @param wait how long to wait for another process that holds it
  Trial make(EvaluationRun.Job job, Duration wait) throws InterruptedException {
    var options =
        RunOptions.defaults().on(job.thread(), store).lease(EvaluationRun.LEASE).waitForLease(wait);
    var before = graph.state(options);
    if (before.isPresent() && before.get().next().isEmpty()) {
      return TrialGraph.read(before.get().state());
    }
    var input = Input.of(TrialGraph.CASE, job.item()).and(TrialGraph.REPEAT, job.repeat());
    var outcome =
        before.isPresent() ? graph.resume(Answers.none(), options) : graph.invoke(input, options);
    return switch (outcome) {
      case Outcome.Completed(var state) -> TrialGraph.read(state);
      case Outcome.Interrupted _ -> throw new IllegalStateException("a trial asks nothing");
      case Outcome.Stopped(var reason, _) -> throw new TrialStopped(reason);
    };
  }

  private Update checked(State state, NodeContext context) throws InterruptedException {
    var item = state.get(TrialGraph.CASE);
    var observation = state.get(TrialGraph.OBSERVATION);
    var spending = new SpendCount(settings.prices);
    var results = new ArrayList<CheckResult>();
    for (int i = 0; i < work.checks().size(); i++) {
      var check = work.checks().get(i);
      var place = "judge " + i;
      var trial =
          new Checked(
              item,
              observation,
              model -> {
                var paid = new LedgerModel(model, part(threadOf(context)));
                return spending.counting(DurableModel.in(context, place, paid));
              });
      results.add(new CheckResult(check.name(), verdict(check, trial)));
    }
    return Update.of(TrialGraph.RESULTS, results).and(TrialGraph.JUDGING, spending.spent());
  }

  private Verdict verdict(Check check, Checked trial) throws InterruptedException {
    var ending = trial.observation().ending();
    if (ending != trial.item().ending()) {
      return Verdict.fail("not checked, since the trial ended " + ending);
    }
    try {
      return check.check(trial);
    } catch (RuntimeException e) {
      if (Infrastructure.isCauseOf(e)
          || Observations.cause(e, BudgetExceeded.class).filter(this::isOfEvaluation).isPresent()) {
        throw e;
      }
      return Verdict.error("the check failed: " + e.getMessage());
    }
  }

  private Ledger part(String thread) {
    return ledger.within("trial", Budget.unlimited(), thread);
  }

  private static String threadOf(NodeContext context) {
    return context.thread().orElseThrow(() -> new IllegalStateException("a trial has a thread"));
  }
}
