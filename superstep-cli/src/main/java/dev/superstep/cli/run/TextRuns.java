package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.RunFlags;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.SuppliedAnswers;
import dev.superstep.cli.view.ThreadLocation;
import java.nio.file.Path;
import java.util.Optional;

/// Runs of graphs as text, as threads of the command.
final class TextRuns {
  private TextRuns() {}

  /// The data that a thread keeps of its text.
  static RunManifest manifest(TextProgram program, Path input, Path output) {
    var graph = new RunManifest.TextGraph(program.name(), program.hash());
    return new RunManifest(
        program.folder().place(),
        input,
        output,
        program.models().label(),
        program.models().source(),
        Optional.of(graph));
  }

  /// Refuses to go on with another text than the thread began with, unless the user says so.
  ///
  /// @throws UsageError if the text has changed, or may now pass the limits of its folder
  static void checkSame(
      ThreadLocation place, RunManifest before, TextProgram now, boolean isAccepted) {
    var began = before.text().map(RunManifest.TextGraph::hash).orElse("");
    if (began.equals(now.hash())) return;
    if (isAccepted) {
      now.checkWithinLimits();
      return;
    }
    throw new UsageError(
        "thread.text-changed",
        "The text of graph `%s` in %s is not the one that thread `%s` began with (%s, now %s). See what has changed, then put the text back, or go on with it as it is now: %s --changed"
            .formatted(
                now.name(),
                before.program(),
                place.thread(),
                shortened(began),
                shortened(now.hash()),
                place.resume()));
  }

  private static String shortened(String hash) {
    return hash.substring(0, Math.min(hash.length(), 12));
  }

  /// A run of a thread, ready to start or resume.
  static ThreadRun of(
      Host host, StoredThread thread, TextProgram program, RunFlags flags, Output output) {
    var job =
        new ThreadRun.Job(
            thread.place(),
            thread.manifest(),
            program,
            program.graph(),
            thread.store(),
            flags,
            new ThreadRun.Rules(program::options, program::located));
    var asking = flags.asks(host.terminal()) ? new QuestionPrompt(program, host.terminal()) : null;
    return new ThreadRun(job, output, new AnswerSource(thread.given(), asking), host.stop());
  }

  /// A thread in its store, and the answers that the command brings.
  record StoredThread(
      ThreadLocation place, RunManifest manifest, Checkpointer store, SuppliedAnswers given) {}
}
