package dev.superstep.cli.view;

import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import java.util.Optional;

/// How `run` and `resume` tell what happens. One thread at a time.
public sealed interface Output permits PlainOutput, JsonOutput {
  static Output of(Terminal terminal, RunFlags flags) {
    return flags.json()
        ? new JsonOutput(terminal, flags.events().redaction(), flags.debug())
        : new PlainOutput(terminal, flags.debug());
  }

  Terminal terminal();

  /// Whether stack traces are wanted.
  boolean debug();

  /// Something that the user should know before the run.
  void notice(String text);

  /// The next event.
  void event(Event event);

  /// Makes room for other text on the terminal.
  void clear();

  /// The run has ended without an error.
  void end(RunSummary ending);

  /// The command has failed.
  ///
  /// @param kept the thread, if it can be resumed
  void tell(ErrorReport failure, Optional<ThreadLocation> kept);

  /// Tells an error that came before any thread, and gives the exit code for it.
  default int failed(Throwable error) {
    return failed(error, Optional.empty());
  }

  /// Tells an error, and gives the exit code for it.
  ///
  /// @param kept the thread, if it can be resumed
  default int failed(Throwable error, Optional<ThreadLocation> kept) {
    clear();
    if (debug()) {
      error.printStackTrace(terminal().err());
      terminal().err().flush();
    }
    var failure = ErrorReport.of(error);
    tell(failure, kept);
    return failure.exit();
  }
}
