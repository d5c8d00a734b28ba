package dev.superstep.eval;

import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.error.RunRefused;
import dev.superstep.eval.check.Judge;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.internal.Infrastructure;
import dev.superstep.eval.internal.Observations;
import dev.superstep.eval.internal.OutOfBudget;
import dev.superstep.eval.internal.TrialStopped;
import dev.superstep.eval.stats.Agreement;
import dev.superstep.lock.Mutex;
import dev.superstep.model.Usage;
import dev.superstep.run.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// A run of an evaluation: makes the trials that have no result. Its workers share it.
final class EvaluationRun {
  static final Duration LEASE = Duration.ofSeconds(10);
  // A little more than the lease of a process that was killed.
  static final Duration LEASE_WAIT = Duration.ofSeconds(30);

  private static final String DRAINED = "The process was asked to end.";
  static final Spend NEXT_CALL = new Spend(1, new Usage(1, 0, 1, 0), BigDecimal.ZERO);

  private final EvaluationSettings settings;
  private final Checkpointer store;
  private final Ledger ledger;
  private final Mutex lock = new Mutex();
  private final Map<String, Trial> made = new LinkedHashMap<>();
  private final Map<String, String> reasons = new LinkedHashMap<>();
  private Spend spent = Spend.NONE;
  private @Nullable String stopped;
  private @Nullable Throwable failure;

  EvaluationRun(EvaluationSettings settings, Checkpointer store) {
    this.settings = settings;
    this.store = store;
    this.ledger = Ledger.of(TrialRunner.ledgerName(settings), settings.budget);
  }

  /// A trial to make.
  ///
  /// @param runner knows its subject and checks
  record Job(String thread, Case item, int repeat, TrialRunner runner) {}

  EvaluationResult run() throws InterruptedException {
    var stored = StoredEvaluations.in(store);
    var manifest = stored.begin(settings, Instant.now());
    int repeats = stored.saveBegun(settings);
    var jobs = jobs(manifest, repeats);
    var examples = exampleJobs(manifest);
    loadAll(jobs);
    loadAll(examples);
    perform(examples);
    perform(wanted(jobs));
    var judges = judges(manifest);
    // While the process drains, no graph may begin; the agreement is saved by the next run.
    if (!DRAINED.equals(stopReason())) stored.save(settings, judges);
    return result(manifest, wanted(jobs), judges);
  }

  /// The trials of all cases, also of those that are not selected: what they spent counts.
  private List<Job> jobs(Manifest manifest, int repeats) {
    var runner = TrialRunner.ofSubject(settings, store, ledger);
    var jobs = new ArrayList<Job>();
    for (var item : settings.dataset.cases()) {
      for (int repeat = 1; repeat <= repeats; repeat++) {
        var thread = TrialThread.of(settings.name, manifest.generation(), item.id(), repeat);
        jobs.add(new Job(thread, item, repeat, runner));
      }
    }
    return jobs;
  }

  private List<Job> wanted(List<Job> jobs) {
    return jobs.stream()
        .filter(job -> job.repeat() <= settings.repeats && settings.selected.test(job.item()))
        .toList();
  }

  private List<Job> exampleJobs(Manifest manifest) {
    var jobs = new ArrayList<Job>();
    for (var calibration : settings.calibrations) {
      var runner = TrialRunner.ofExamples(settings, calibration, store, ledger);
      for (var example : calibration.examples()) {
        var thread = exampleThread(manifest, calibration.judge(), example.item());
        jobs.add(new Job(thread, example.item(), 1, runner));
      }
    }
    return jobs;
  }

  private String exampleThread(Manifest manifest, Judge judge, Case item) {
    return TrialThread.ofExample(settings.name, manifest.generation(), judge.name(), item.id());
  }

  private void loadAll(List<Job> jobs) {
    for (var job : jobs) {
      TrialGraph.find(job.thread(), store).ifPresent(trial -> keep(job, trial));
    }
  }

  private void keep(Job job, Trial trial) {
    try (var _ = lock.hold()) {
      if (made.put(job.thread(), trial) == null) spent = spent.plus(trial.spent());
      reasons.remove(job.thread());
      ledger.atLeast(spent);
    }
  }

  private Optional<Trial> find(String thread) {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(made.get(thread));
    }
  }

  /// Makes trials, those last that another process, perhaps one that was killed, still holds.
  private void perform(List<Job> all) throws InterruptedException {
    var open = all.stream().filter(job -> find(job.thread()).isEmpty()).toList();
    var busy = new ConcurrentLinkedQueue<Job>();
    perform(new ConcurrentLinkedQueue<>(open), Duration.ZERO, busy);
    perform(busy, LEASE_WAIT, new ConcurrentLinkedQueue<>());
  }

  private void perform(Queue<Job> jobs, Duration wait, Queue<Job> busy)
      throws InterruptedException {
    if (jobs.isEmpty() || isStopped()) return;
    int workers = Math.min(settings.concurrency, jobs.size());
    var names = Thread.ofVirtual().name("superstep-eval-", 0).factory();
    try (var threads = Executors.newThreadPerTaskExecutor(names)) {
      var work = new ArrayList<Future<?>>();
      for (int i = 0; i < workers; i++) work.add(threads.submit(() -> work(jobs, wait, busy)));
      try {
        for (var one : work) one.get();
      } catch (ExecutionException e) {
        fail(e.getCause());
      } finally {
        threads.shutdownNow();
      }
    }
    rethrow();
  }

  private void work(Queue<Job> jobs, Duration wait, Queue<Job> busy) {
    try {
      for (var job = jobs.poll(); job != null && !isStopped(); job = jobs.poll()) {
        make(job, wait, busy);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private void make(Job job, Duration wait, Queue<Job> busy) throws InterruptedException {
    if (settings.budget.over(ledger.spent().plus(NEXT_CALL)).isPresent()) {
      stop("The budget of the evaluation is used up: " + settings.budget + ".");
      return;
    }
    try {
      var trial = job.runner().make(job, wait);
      keep(job, trial);
      if (job.runner().isOfSubject()) settings.listener.accept(trial);
    } catch (RuntimeException e) {
      var overBudget =
          Observations.cause(e, BudgetExceeded.class).filter(job.runner()::isOfEvaluation);
      if (overBudget.isPresent()) {
        stop(String.valueOf(overBudget.get().getMessage()));
      } else if (Observations.cause(e, OutOfBudget.class).isPresent()) {
        stop("The budget of the evaluation is used up: " + settings.budget + ".");
      } else if (Observations.cause(e, RunRefused.class).isPresent()) {
        stop(DRAINED);
      } else if (Observations.cause(e, TrialStopped.class).isPresent()) {
        stopped(job, Observations.cause(e, TrialStopped.class).get());
      } else if (Infrastructure.isHeldElsewhere(e)) {
        busy.add(job);
        note(job, "another process is at work on it");
      } else {
        throw e;
      }
    }
  }

  /// A process that drains begins no more trials; one that somebody cancels is left out alone.
  private void stopped(Job job, TrialStopped error) {
    note(job, String.valueOf(error.getMessage()));
    if (error.reason() == Outcome.Reason.DRAINED) stop(DRAINED);
  }

  private void note(Job job, String reason) {
    try (var _ = lock.hold()) {
      reasons.put(job.thread(), reason);
    }
  }

  private void stop(String reason) {
    try (var _ = lock.hold()) {
      if (stopped == null) stopped = reason;
    }
  }

  private void fail(@Nullable Throwable error) {
    try (var _ = lock.hold()) {
      if (failure == null) failure = error;
      else if (error != null && !error.equals(failure)) failure.addSuppressed(error);
    }
  }

  private @Nullable String stopReason() {
    try (var _ = lock.hold()) {
      return stopped;
    }
  }

  private boolean isStopped() {
    try (var _ = lock.hold()) {
      return stopped != null || failure != null;
    }
  }

  private void rethrow() {
    try (var _ = lock.hold()) {
      if (failure instanceof RuntimeException e) throw e;
      if (failure instanceof Error e) throw e;
      if (failure != null) throw new IllegalStateException(failure);
    }
  }

  private List<JudgeAgreement> judges(Manifest manifest) {
    var all = new ArrayList<JudgeAgreement>();
    for (var calibration : settings.calibrations) {
      var counts = Agreement.NONE;
      int missing = 0;
      for (var example : calibration.examples()) {
        var trial = find(exampleThread(manifest, calibration.judge(), example.item()));
        if (trial.isEmpty()) {
          missing++;
        } else {
          var verdict = trial.get().results().getFirst().verdict();
          counts = Judge.counted(counts, example.passed(), verdict);
        }
      }
      all.add(new JudgeAgreement(calibration.judge().name(), counts, calibration.kappa(), missing));
    }
    return all;
  }

  private EvaluationResult result(Manifest manifest, List<Job> jobs, List<JudgeAgreement> judges) {
    try (var _ = lock.hold()) {
      var trials = new ArrayList<Trial>();
      var missing = new ArrayList<MissingTrial>();
      var otherwise = stopped == null ? "it was not made" : stopped;
      for (var job : jobs) {
        var trial = made.get(job.thread());
        if (trial != null) {
          trials.add(trial);
        } else {
          var reason = reasons.getOrDefault(job.thread(), otherwise);
          missing.add(new MissingTrial(job.item().id(), job.repeat(), reason));
        }
      }
      return new EvaluationResult(
          settings.name,
          manifest,
          trials,
          missing,
          Optional.ofNullable(stopped),
          judges,
          settings.currency);
    }
  }
}
