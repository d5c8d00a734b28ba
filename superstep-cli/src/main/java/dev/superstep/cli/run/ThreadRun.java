package dev.superstep.cli.run;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.cli.view.OpenQuestion;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.QuestionRisk;
import dev.superstep.cli.view.RunFlags;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.RunSummary;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.program.Program;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

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
      RunManifest manifest,
      Program program,
      Graph graph,
      Checkpointer store,
      RunFlags flags,
      Rules rules) {
    RunOptions options(Host host) {
      var options =
          RunOptions.thread(place.thread())
              .checkpoints(store)
              .journal(flags.events().redaction())
              .recorded()
              .clock(host.clock());
      return rules.options().apply(manifest.addTo(options.concurrency(flags.concurrency())));
    }
  }

  /// The rules of a program for its runs.
  ///
  /// @param options the options that it sets, over those of the command
  /// @param errors an error in its words
  record Rules(UnaryOperator<RunOptions> options, UnaryOperator<Throwable> errors) {
    static final Rules NONE = new Rules(UnaryOperator.identity(), UnaryOperator.identity());
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
    return finish(() -> answered(follow(job.graph().stream(input, options)), options));
  }

  /// Resumes the thread.
  ///
  /// @return the exit code
  int resume(Host host) {
    var options = job.options(host);
    stop.runEnded(this::leave);
    return finish(() -> {
      var open = job.graph().state(options).map(s -> s.questions()).orElse(List.of());
      var given = answering.given(open, this::isAnsweredInPart);
      nameApprovals(open, given);
      // Also without answers: other tasks may have been cut off by a crash.
      return answered(follow(job.graph().streamResume(new Answers(given), options)), options);
    });
  }

  /// Resumes the thread as long as there are answers. An answer that a person typed is stored
  /// before the next question is asked, so that it is not lost.
  private Outcome answered(Outcome first, RunOptions options) throws InterruptedException {
    var outcome = first;
    while (outcome instanceof Outcome.Interrupted(var open) && !stop.isDraining()) {
      output.clear();
      var answers = answering.given(open, this::isAnsweredInPart);
      if (answers.isEmpty()) answers = answering.typed(open).stream().toList();
      if (answers.isEmpty()) break;
      outcome = resumed(new Answers(answers), options).orElse(outcome);
    }
    return outcome;
  }

  private void nameApprovals(List<Interrupt> open, List<Answer> given) {
    for (var question : answering.riskyApprovals(open, given)) {
      var why = QuestionRisk.of(question).orElse("");
      output.notice(
          "approves %s %s (%s): %s"
              .formatted(question.id(), question.question(), why, question.payload().text()));
    }
  }

  /// Returns true if some of the questions that were first shown are answered.
  private boolean isAnsweredInPart() {
    var lineage = Lineage.of(job.place().thread());
    return job.store()
        .latest(lineage)
        .filter(at -> !job.store().answers(lineage, at.checkpoint().id()).isEmpty())
        .isPresent();
  }

  /// Resumes with answers; empty if a typed answer was rejected and should be asked for again.
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
    stop.runStarted(run, () -> output.notice("ends after what is running now"));
    try {
      for (var event : run) output.event(event);
      return run.outcome();
    } finally {
      stop.runEnded(this::leave);
    }
  }

  private int finish(Work work) {
    try {
      var summary = summary(work.run());
      warnOfUnused();
      output.end(summary);
      return summary.kind().exit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return output.failed(e, resumable());
    } catch (RuntimeException | Error e) {
      return output.failed(job.rules().errors().apply(e), resumable());
    }
  }

  private RunSummary summary(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed(var state) -> {
        var text = job.program().summary(state);
        yield summary(RunSummary.Kind.COMPLETED, List.of(), Optional.of(text));
      }
      case Outcome.Interrupted(var open) ->
          summary(
              RunSummary.Kind.INTERRUPTED, OpenQuestion.all(job.program(), open), Optional.empty());
      case Outcome.Stopped _ -> summary(RunSummary.Kind.STOPPED, List.of(), Optional.empty());
    };
  }

  private RunSummary summary(
      RunSummary.Kind kind, List<OpenQuestion> questions, Optional<String> text) {
    return new RunSummary(kind, job.place(), job.manifest(), questions, text);
  }

  private void warnOfUnused() {
    for (var id : answering.unused()) {
      output.notice("nothing was asked that answer `" + id + "` could be for");
    }
  }

  private Optional<ThreadLocation> resumable() {
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
    answering.abandon();
    output.end(summary(RunSummary.Kind.STOPPED, List.of(), Optional.empty()));
  }
}
