package dev.superstep.cli.view;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.json.Json;
import java.util.List;
import java.util.Optional;

/// Output for programs: one JSON object a line on stdout and nothing else there. Events come as
/// they happen; the last line has the type `result` or `error`.
public final class JsonOutput implements Output {
  private final Terminal terminal;
  private final Redaction redaction;
  private final boolean debug;

  /// Creates an output.
  ///
  /// @param redaction what of events is shown
  public JsonOutput(Terminal terminal, Redaction redaction, boolean debug) {
    this.terminal = terminal;
    this.redaction = redaction;
    this.debug = debug;
  }

  /// The last line of a run that did not fail.
  ///
  /// @param outcome `completed`, `interrupted` or `stopped`
  record Result(
      String type,
      String outcome,
      int exit,
      String thread,
      String model,
      String source,
      List<OpenQuestion> questions,
      Optional<String> resume,
      Optional<String> text) {}

  /// The last line of a command that failed.
  ///
  /// @param thread the thread, if it can be resumed
  record Refusal(
      String type,
      String code,
      String message,
      int exit,
      Optional<String> thread,
      Optional<String> resume) {}

  @Override
  public Terminal terminal() {
    return terminal;
  }

  @Override
  public boolean debug() {
    return debug;
  }

  @Override
  public void notice(String text) {
    terminal.err().println("superstep: " + SafeText.line(text));
    terminal.err().flush();
  }

  @Override
  public void event(Event event) {
    line(redaction.of(event).json());
  }

  @Override
  public void clear() {}

  @Override
  public void end(RunSummary summary) {
    line(
        Json.of(
            new Result(
                "result",
                summary.kind().word(),
                summary.kind().exit(),
                summary.place().thread(),
                summary.manifest().model(),
                summary.manifest().source(),
                summary.questions(),
                summary.resume(),
                summary.text())));
  }

  @Override
  public void report(ErrorReport failure, Optional<ThreadLocation> kept) {
    line(
        Json.of(
            new Refusal(
                "error",
                failure.code(),
                failure.message(),
                failure.exit(),
                kept.map(ThreadLocation::thread),
                kept.map(ThreadLocation::resume))));
  }

  private void line(Json json) {
    terminal.out().println(json.text());
    terminal.out().flush();
  }
}
