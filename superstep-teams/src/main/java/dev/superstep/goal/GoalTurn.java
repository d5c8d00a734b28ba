package dev.superstep.goal;

import dev.superstep.budget.Spend;
import java.util.Objects;

/// The result of a turn of work on a goal. Immutable; [#spending] returns a changed copy.
///
/// @param note the reason, or the result
/// @param spent its total spending, as far as the ledger does not know it; the greater of the two
///   counts
public record GoalTurn(Next next, String note, Spend spent) {
  /// The next state of the goal after the turn.
  public enum Next {
    /// Another turn, if the budget has one.
    AGAIN,
    /// The goal is reached.
    COMPLETE,
    /// The goal is paused, and the turn has ended.
    PAUSE,
    /// The goal is paused, and the turn continues later.
    SUSPEND,
    /// The goal stays active, and the turn continues when a loop runs again.
    LATER,
    /// The budget is too small for another turn; this turn has ended.
    LIMITED
  }

  public GoalTurn {
    Objects.requireNonNull(next, "next");
  }

  /// Another turn is needed.
  public static GoalTurn again() {
    return new GoalTurn(Next.AGAIN, "", Spend.NONE);
  }

  /// The result of a turn that needs another one.
  public static GoalTurn complete(String note) {
    return new GoalTurn(Next.COMPLETE, note, Spend.NONE);
  }

  /// The result of a turn that reached the goal.
  public static GoalTurn pause(String why) {
    return new GoalTurn(Next.PAUSE, why, Spend.NONE);
  }

  /// The result of a turn after which somebody must look at the goal.
  public static GoalTurn suspend(String why) {
    return new GoalTurn(Next.SUSPEND, why, Spend.NONE);
  }

  /// The result of a turn that was cut off from outside, for example because its process ends.
  public static GoalTurn later() {
    return new GoalTurn(Next.LATER, "", Spend.NONE);
  }

  /// The result of a turn that cannot continue now, for example because an answer is missing.
  public static GoalTurn limited(String why) {
    return new GoalTurn(Next.LIMITED, why, Spend.NONE);
  }

  /// Returns a copy with this spending.
  public GoalTurn spending(Spend told) {
    return new GoalTurn(next, note, told);
  }
}
