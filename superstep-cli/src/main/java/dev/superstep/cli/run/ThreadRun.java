package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.cli.view.OpenQuestion;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.RunFlags;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.RunSummary;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.graph.AnswerRejected;
import dev.superstep.graph.Answers;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.Outcome;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.program.Program;
import java.util.List;
import java.util.Optional;

/// Runs a thread until it is done, fails, or nobody can answer its questions now. For one thread.
final class ThreadRun {
  private final Job job;
  private final Output output;
  private final AnswerSource answering;
  private final SignalHandler stop;

  ThreadRun(Job job, Output output, AnswerSource answering, SignalHandler stop) {
    this.job = job;
    this.output = output;
    this.answering = answering;
    this.stop = stop;
  }

  /// A thread and what is needed to run it. Immutable.
  record Job(
      ThreadLocation place,
      RunManifest kept,
      Program program,
      Graph graph,
      Checkpointer store,
      RunFlags flags) {
    RunOptions options(Host host) {
      var options =
          RunOptions.thread(place.thread())
              .checkpoints(store)
              .journal(flags.events().redaction())
              .recorded()
              .clock(host.clock());
      return kept.with(options.concurrency(flags.concurrency()));
    }
  }

  /// A piece of work on the thread.
  @FunctionalInterface
  private interface Work {
    Outcome run() throws InterruptedException;
  }

  /// Runs new input.
  ///
  /// @return the exit code
  int start(Input input, Host host) {
    var options = job.options(host);
    return told(() -> answered(follow(job.graph().stream(input, options)), options));
  }

  /// Lets the thread go on from where it stands.
  ///
  /// @return the exit code
  int resume(Host host) {
    var options = job.options(host);
    stop.waits(this::leave);
    return told(() -> {
      var open = job.graph().state(options).map(s -> s.questions()).orElse(List.of());
      var given = answering.given(open, this::isAnsweredInPart);
      // Also without answers: other tasks may have been cut off by a crash.
      return answered(follow(job.graph().streamResume(new Answers(given), options)), options);
    });
  }

  /// Goes on for as long as there are answers. What a person types is stored before the next
  /// question is asked, so that nothing typed is lost.
  private Outcome answered(Outcome first, RunOptions options) throws InterruptedException {
    var outcome = first;
    while (outcome instanceof Outcome.Interrupted(var open)) {
      output.clear();
      var answers = answering.given(open, this::isAnsweredInPart);
      if (answers.isEmpty()) answers = answering.typed(open).stream().toList();
      if (answers.isEmpty()) break;
      outcome = resumed(new Answers(answers), options).orElse(outcome);
    }
    return outcome;
  }

  /// Whether the list of open questions is shorter than it was when it was first shown.
  private boolean isAnsweredInPart() {
    var lineage = Lineage.of(job.place().thread());
    return job.store()
        .latest(lineage)
        .filter(at -> !job.store().answers(lineage, at.checkpoint().id()).isEmpty())
        .isPresent();
  }

  /// Empty if a typed answer was rejected and should be asked for again.
  private Optional<Outcome> resumed(Answers answers, RunOptions options)
      throws InterruptedException {
    try {
      return Optional.of(follow(job.graph().streamResume(answers, options)));
    } catch (AnswerRejected rejected) {
      if (!answering.retract(rejected)) throw rejected;
      return Optional.empty();
    }
  }

  private Outcome follow(RunStream run) throws InterruptedException {
    stop.runs(run);
    try {
      for (var event : run) output.event(event);
      return run.outcome();
    } finally {
      stop.waits(this::leave);
    }
  }

  private int told(Work work) {
    try {
      var ending = ending(work.run());
      warnOfUnused();
      output.end(ending);
      return ending.kind().exit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return output.failed(e, kept());
    } catch (RuntimeException | Error e) {
      return output.failed(e, kept());
    }
  }

  private RunSummary ending(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var state) -> {
        var text = job.program().tell(state);
        yield ending(RunSummary.Kind.COMPLETED, List.of(), Optional.of(text));
      }
      case Outcome.Interrupted(var open) ->
          ending(RunSummary.Kind.INTERRUPTED, OpenQuestion.all(job.program(), open), Optional.empty());
      case Outcome.Stopped _ -> ending(RunSummary.Kind.STOPPED, List.of(), Optional.empty());
    };
  }

  private RunSummary ending(RunSummary.Kind kind, List<OpenQuestion> questions, Optional<String> text) {
    return new RunSummary(kind, job.place(), job.kept(), questions, text);
  }

  private void warnOfUnused() {
    for (var id : answering.unused()) {
      output.notice("nothing was asked that answer `" + id + "` could be for");
    }
  }

  private Optional<ThreadLocation> kept() {
    try {
      return job.store().latest(Lineage.of(job.place().thread())).map(_ -> job.place());
    } catch (RuntimeException _) {
      // The store itself may be what failed.
      return Optional.empty();
    }
  }

  /// Called when the process is told to end while a person is asked.
  private void leave() {
    output.clear();
    answering.leave();
    output.end(ending(RunSummary.Kind.STOPPED, List.of(), Optional.empty()));
  }
}
