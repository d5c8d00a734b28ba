package dev.superstep.cli;

import dev.superstep.event.Event;
import java.util.Optional;

/// How `run` and `resume` tell what happens. One thread at a time.
sealed interface Output permits PlainOutput, JsonOutput {
  static Output of(Terminal terminal, ThreadFlags flags) {
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
  void end(Ending ending);

  /// The command has failed.
  ///
  /// @param kept the thread, if it can be resumed
  void tell(Failure failure, Optional<ThreadPlace> kept);

  /// Tells an error that came before any thread, and gives the exit code for it.
  default int failed(Throwable error) {
    return failed(error, Optional.empty());
  }

  /// Tells an error, and gives the exit code for it.
  ///
  /// @param kept the thread, if it can be resumed
  default int failed(Throwable error, Optional<ThreadPlace> kept) {
    clear();
    if (debug()) {
      error.printStackTrace(terminal().err());
      terminal().err().flush();
    }
    var failure = Failure.of(error);
    tell(failure, kept);
    return failure.exit();
  }
}
