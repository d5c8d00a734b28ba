package dev.superstep.eval;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The evaluations that a store has: a thread with the manifest for each.
record StoredEvaluations(Checkpointer store) {
  private static final Channel<Manifest, Manifest> MANIFEST =
      Channel.latest("manifest", Manifest.class);
  private static final Channel<Run, Run> RUN = Channel.latest("run", Run.class);
  private static final Graph GRAPH =
      Graph.named("evaluation")
          .channels(MANIFEST, RUN)
          .node("begun", _ -> NodeResult.nothing())
          .edge(Graph.START, "begun")
          .edge("begun", Graph.END)
          .compile();

  /// The settings that later runs of an evaluation may change.
  ///
  /// @param repeats the most that were asked for
  /// @param judges the agreement that judges had
  record Run(int repeats, String currency, List<JudgeAgreement> judges) {
    Run {
      judges = List.copyOf(judges);
    }
  }

  static StoredEvaluations in(Checkpointer store) {
    return new StoredEvaluations(store);
  }

  private RunOptions options(String name) {
    return RunOptions.defaults().on(TrialThread.ofManifest(name), store);
  }

  Optional<Manifest> manifest(String name) {
    return GRAPH.state(options(name)).flatMap(state -> state.state().find(MANIFEST));
  }

  private Optional<Run> run(String name) {
    return GRAPH.state(options(name)).flatMap(state -> state.state().find(RUN));
  }

  /// The manifest of the settings, saved as it is or begun anew.
  ///
  /// @throws EvaluationChanged if the name has another one
  Manifest begin(EvaluationSettings settings, Instant now) throws InterruptedException {
    var before = manifest(settings.name);
    var fresh = fresh(settings, before.map(Manifest::generation).orElse(0) + 1, now);
    if (before.isPresent()) {
      var changes = changes(before.get(), fresh);
      if (changes.isEmpty()) return before.get();
      if (!settings.startsAnew) throw new EvaluationChanged(settings.name, changes);
    }
    var _ = GRAPH.invoke(Input.of(MANIFEST, fresh), waiting(settings.name));
    return fresh;
  }

  /// Saves what later readers need, before there are results.
  ///
  /// @return the most repeats that were ever asked for
  int saveBegun(EvaluationSettings settings) throws InterruptedException {
    var before = run(settings.name).orElse(new Run(0, "", List.of()));
    save(settings, before.judges());
    return Math.max(before.repeats(), settings.repeats);
  }

  void save(EvaluationSettings settings, List<JudgeAgreement> judges) throws InterruptedException {
    int repeats = run(settings.name).map(Run::repeats).orElse(0);
    var run = new Run(Math.max(repeats, settings.repeats), settings.currency, judges);
    var _ = GRAPH.invoke(Input.of(RUN, run), waiting(settings.name));
  }

  /// A process that was killed may have left the thread with its note of the manifest unfinished,
  /// and its lease.
  private RunOptions waiting(String name) {
    return options(name).discardPending().waitForLease(EvaluationRun.LEASE_WAIT);
  }

  private static Manifest fresh(EvaluationSettings settings, int generation, Instant now) {
    return new Manifest(
        settings.subject.name(),
        settings.subject.version(),
        settings.dataset.digest(),
        settings.checkVersions(),
        settings.dataset.cases().stream().map(one -> one.id()).toList(),
        generation,
        now);
  }

  private static List<String> changes(Manifest before, Manifest now) {
    var changes = new ArrayList<String>();
    if (!before.subject().equals(now.subject())) {
      changes.add("subject `%s`, now `%s`".formatted(before.subject(), now.subject()));
    }
    if (!before.subjectVersion().equals(now.subjectVersion())) {
      changes.add(
          "version `%s` of the subject, now `%s`"
              .formatted(before.subjectVersion(), now.subjectVersion()));
    }
    if (!before.dataset().equals(now.dataset())) {
      changes.add(
          "a dataset of %d cases (%s), now of %d (%s)"
              .formatted(
                  before.cases().size(), before.dataset(), now.cases().size(), now.dataset()));
    }
    if (!before.checks().equals(now.checks())) {
      changes.add("checks %s, now %s".formatted(before.checks(), now.checks()));
    }
    return changes;
  }

  EvaluationResult result(String name) {
    var manifest = manifest(name).orElseThrow(() -> new UnknownEvaluation(name));
    var run = run(name).orElse(new Run(1, "", List.of()));
    var trials = new ArrayList<Trial>();
    var missing = new ArrayList<MissingTrial>();
    for (var item : manifest.cases()) {
      for (int repeat = 1; repeat <= run.repeats(); repeat++) {
        var thread = TrialThread.of(name, manifest.generation(), item, repeat);
        var trial = TrialGraph.find(thread, store);
        if (trial.isPresent()) trials.add(trial.get());
        else missing.add(new MissingTrial(item, repeat, "it was not made"));
      }
    }
    return new EvaluationResult(
        name, manifest, trials, missing, Optional.empty(), run.judges(), run.currency());
  }
}
