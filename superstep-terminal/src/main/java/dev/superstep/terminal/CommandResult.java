package dev.superstep.terminal;

import java.time.Duration;
import java.util.Optional;

/// The end of a command. Stored.
///
/// @param exit the exit status; -1 if it did not start or was stopped
/// @param stdout as far as it is kept, redacted before it is stored
/// @param stderr as far as it is kept, redacted before it is stored
/// @param isCut whether more was printed than is kept
/// @param error what kept it from running to its end, or from succeeding
public record CommandResult(
    int exit,
    String stdout,
    String stderr,
    boolean isCut,
    Optional<ExecutionError> error,
    Duration took) {
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  /// The reasons why a command did not succeed.
  public enum ExecutionError {
    /// It ended with another status than 0, or could not be started.
    EXECUTION_FAILED,
    /// It may not be executed, or something refused it a right.
    PERMISSION_DENIED,
    /// There is no such program.
    COMMAND_NOT_FOUND,
    /// It was stopped when its time was over.
    TIMEOUT
  }

  /// A command that ran to its end.
  public static CommandResult ended(int exit, String stdout, String stderr, Duration took) {
    var error =
        switch (exit) {
          case 0 -> Optional.<ExecutionError>empty();
          case NOT_EXECUTABLE -> Optional.of(ExecutionError.PERMISSION_DENIED);
          case NOT_FOUND -> Optional.of(ExecutionError.COMMAND_NOT_FOUND);
          default -> Optional.of(ExecutionError.EXECUTION_FAILED);
        };
    return new CommandResult(exit, stdout, stderr, false, error, took);
  }

  /// Returns whether it did what it should, as far as its status says.
  public boolean isSuccess() {
    return error.isEmpty();
  }

  CommandResult with(String out, String err, boolean cut) {
    return new CommandResult(exit, out, err, isCut || cut, error, took);
  }
}
