package dev.superstep.workspace;

import java.time.Duration;
import java.util.List;

/// The outcome of a command in a [Workspace], and its output. Immutable.
///
/// @param strays the number of processes that it left running when it ended; they were killed
public record CommandResult(
    List<String> command, Ended ended, Output out, Output err, Duration took, int strays) {
  public CommandResult {
    command = List.copyOf(command);
  }

  /// Returns a copy with the command as it was requested.
  CommandResult of(List<String> asked) {
    return new CommandResult(asked, ended, out, err, took, strays);
  }

  /// The way in which a command ended.
  public sealed interface Ended {
    /// It exited by itself.
    ///
    /// @param code 0 for success
    record Exited(int code) implements Ended {}

    /// It was killed at its time limit.
    record TimedOut(Duration after) implements Ended {}
  }

  /// The text of one of its outputs.
  ///
  /// @param isCut whether it wrote more than the workspace keeps
  public record Output(String text, boolean isCut) {}

  /// Returns whether it exited by itself with code 0.
  public boolean isGood() {
    return ended.equals(new Ended.Exited(0));
  }
}
