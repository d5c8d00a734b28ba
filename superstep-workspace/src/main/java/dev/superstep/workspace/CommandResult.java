package dev.superstep.workspace;

import java.time.Duration;
import java.util.List;

/// How a command in a [Workspace] ended, and what it said. Immutable.
///
/// @param strays how many processes it had left running when it ended; they were killed
public record CommandResult(
    List<String> command, Ended ended, Output out, Output err, Duration took, int strays) {
  public CommandResult {
    command = List.copyOf(command);
  }

  /// As that of the command that was asked for.
  CommandResult of(List<String> asked) {
    return new CommandResult(asked, ended, out, err, took, strays);
  }

  /// How it ended.
  public sealed interface Ended {
    /// By itself.
    ///
    /// @param code 0 if it says that all went well
    record Exited(int code) implements Ended {}

    /// It was killed, as it took too long.
    record TimedOut(Duration after) implements Ended {}
  }

  /// What it wrote to one of its outputs, as text.
  ///
  /// @param isCut whether it wrote more than the workspace keeps
  public record Output(String text, boolean isCut) {}

  /// Whether it ended by itself, with code 0.
  public boolean isGood() {
    return ended.equals(new Ended.Exited(0));
  }
}
