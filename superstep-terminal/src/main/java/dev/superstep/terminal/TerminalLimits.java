package dev.superstep.terminal;

import dev.superstep.budget.Budget;
import dev.superstep.terminal.approval.Approvals;
import java.time.Duration;

/// The limits of conversations. Immutable; each method returns a changed copy.
///
/// @param planTimeout for one request for a plan or a command
/// @param commandTimeout after which a command is stopped
/// @param captureChars what is kept of each output of a command
/// @param excerptChars what a model is shown of each output of a command
/// @param contextChars what a model is shown in all
/// @param alternatives how many commands beside the first a step may be asked for
/// @param approvalValidity in which an approval must be used
/// @param isAutomatic whether the next step begins without a person's word; its commands are asked
///   about all the same
/// @param budget of the models of one conversation
public record TerminalLimits(
    Duration planTimeout,
    Duration commandTimeout,
    int captureChars,
    int excerptChars,
    int contextChars,
    int alternatives,
    Duration approvalValidity,
    boolean isAutomatic,
    Budget budget) {
  private static final int CALLS = 200;
  private static final int TOKENS = 500_000;

  /// The limits that hold unless others are given.
  public static TerminalLimits standard() {
    return new TerminalLimits(
        Duration.ofSeconds(60),
        Duration.ofSeconds(300),
        64 * 1024,
        1024,
        48 * 1024,
        3,
        Approvals.VALIDITY,
        false,
        Budget.unlimited().calls(CALLS).totalTokens(TOKENS));
  }

  /// Begins each step without asking.
  public TerminalLimits automatic() {
    return new TerminalLimits(
        planTimeout,
        commandTimeout,
        captureChars,
        excerptChars,
        contextChars,
        alternatives,
        approvalValidity,
        true,
        budget);
  }

  /// Sets the budget of one conversation.
  public TerminalLimits budget(Budget other) {
    return new TerminalLimits(
        planTimeout,
        commandTimeout,
        captureChars,
        excerptChars,
        contextChars,
        alternatives,
        approvalValidity,
        isAutomatic,
        other);
  }

  /// Sets the time in which a command must end.
  public TerminalLimits commandTimeout(Duration time) {
    return new TerminalLimits(
        planTimeout,
        time,
        captureChars,
        excerptChars,
        contextChars,
        alternatives,
        approvalValidity,
        isAutomatic,
        budget);
  }
}
