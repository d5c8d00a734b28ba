package dev.superstep.eval;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.internal.AgentReader;
import dev.superstep.eval.internal.Infrastructure;
import dev.superstep.eval.internal.Observations;
import dev.superstep.eval.internal.OutOfBudget;
import dev.superstep.eval.internal.PreparedAnswers;
import dev.superstep.eval.internal.RunRecord;
import dev.superstep.eval.internal.TrialStopped;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;

/// Runs the subject of a trial on its own thread, or goes on with it, and answers its questions
/// from the case. Safe for many threads.
record SubjectRun(EvaluationSettings settings, Checkpointer store, Ledger ledger) {
  private static final int QUESTIONS_MAX = 100;
  private static final String BUDGET_LIMIT = AgentReader.code(StopReason.BUDGET_LIMIT);

  Observation observe(Case item, String trial) throws InterruptedException {
    var seen = new RunRecord(settings.prices);
    var part = ledger.within("trial", Budget.unlimited(), trial);
    var observation = observe(item, options(trial, seen, part), seen);
    if (observation.error().equals(BUDGET_LIMIT) && isCutByEvaluation(observation)) {
      // The partial answer must not pass for a result when the trial is made again.
      var _ = Threads.in(store).delete(TrialThread.ofSubject(trial));
      throw new OutOfBudget();
    }
    return observation;
  }

  private RunOptions options(String trial, RunRecord seen, Ledger part) {
    return settings
        .subject
        .body()
        .options()
        .apply(RunOptions.defaults())
        .on(TrialThread.ofSubject(trial), store)
        .listener(seen)
        .with(Agent.LEDGER, part)
        .lease(EvaluationRun.LEASE)
        .waitForLease(EvaluationRun.LEASE_WAIT)
        .deadline(settings.timeout);
  }

  private Observation observe(Case item, RunOptions options, RunRecord seen)
      throws InterruptedException {
    try {
      return settings.subject.body().reader().read(outcome(item, options), seen);
    } catch (RuntimeException e) {
      if (e instanceof TrialStopped || Infrastructure.isCauseOf(e)) throw e;
      var budget = Observations.cause(e, BudgetExceeded.class);
      if (budget.filter(this::isOfEvaluation).isPresent()) throw e;
      return Observations.failed(e, seen);
    }
  }

  private boolean isOfEvaluation(BudgetExceeded error) {
    return error.who().equals(TrialRunner.ledgerName(settings));
  }

  private Outcome outcome(Case item, RunOptions options) throws InterruptedException {
    var outcome = answered(item, options);
    if (outcome instanceof Outcome.Stopped(var reason, _) && TrialStopped.isBy(reason)) {
      throw new TrialStopped(reason);
    }
    return outcome;
  }

  private Outcome answered(Case item, RunOptions options) throws InterruptedException {
    var body = settings.subject.body();
    var before = body.graph().state(options);
    Outcome outcome;
    if (before.isEmpty()) {
      outcome = body.graph().invoke(body.input().apply(item.input()), options);
    } else if (before.get().next().isEmpty()) {
      outcome = new Outcome.Completed(before.get().state());
    } else {
      outcome = body.graph().resume(Answers.none(), options);
    }
    for (int i = 0; i < QUESTIONS_MAX; i++) {
      if (!(outcome instanceof Outcome.Interrupted(var questions))) return outcome;
      var answers = PreparedAnswers.of(item).to(questions);
      if (answers.all().isEmpty()) return outcome;
      outcome = body.graph().resume(answers, options);
    }
    return outcome;
  }

  /// An agent that returns partial results does not say whose budget ended it. It was that of the
  /// evaluation if that one would refuse a call like its last.
  private boolean isCutByEvaluation(Observation observation) {
    var next = observation.spent().calls() == 0 ? EvaluationRun.NEXT_CALL : observation.spent();
    return settings.budget.over(ledger.spent().plus(next)).isPresent();
  }
}
