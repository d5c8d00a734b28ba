package dev.superstep.cli.view;

import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The output of `run` and `resume`. For one thread at a time.
public sealed interface Output permits PlainOutput, JsonOutput {
  static Output of(Terminal terminal, RunFlags flags) {
    return flags.json()
        ? new JsonOutput(terminal, flags.events().redaction(), flags.debug())
        : new PlainOutput(terminal, flags.debug());
  }

  Terminal terminal();

  /// Returns true if stack traces are wanted.
  boolean debug();

  /// Prints a notice for the user before the run.
  void notice(String text);

  /// Prints the next event.
  void event(Event event);

  /// Clears the progress line, so that other text can follow.
  void clear();

  /// Prints the summary of a run that did not fail.
  void end(RunSummary summary);

  /// Prints the error of a command that failed.
  ///
  /// @param kept the thread, if it can be resumed
  void report(ErrorReport failure, Optional<ThreadLocation> kept);

  /// Reports an error that came before any thread, and returns its exit code.
  default int failed(Throwable error) {
    return failed(error, Optional.empty());
  }

  /// Reports an error that came before any thread without the secrets in it, and returns its exit
  /// code.
  default int failed(Throwable error, UnaryOperator<String> redact) {
    clear();
    if (debug()) {
      var trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      terminal().err().print(redact.apply(trace.toString()));
      terminal().err().flush();
    }
    var failure = ErrorReport.of(error);
    report(
        new ErrorReport(failure.exit(), failure.code(), redact.apply(failure.message())),
        Optional.empty());
    return failure.exit();
  }

  /// Reports an error, and returns its exit code.
  ///
  /// @param kept the thread, if it can be resumed
  default int failed(Throwable error, Optional<ThreadLocation> kept) {
    clear();
    if (debug()) {
      error.printStackTrace(terminal().err());
      terminal().err().flush();
    }
    var failure = ErrorReport.of(error);
    report(failure, kept);
    return failure.exit();
  }
}
