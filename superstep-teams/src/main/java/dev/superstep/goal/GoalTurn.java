package dev.superstep.goal;

import dev.superstep.budget.Spend;
import java.util.Objects;

/// What came of a turn of work on a goal. Immutable; [#spending] returns a changed copy.
///
/// @param note why, or what came of it
/// @param spent what it spent in all, as far as its ledger does not know; the greater counts
public record GoalTurn(Next next, String note, Spend spent) {
  /// How it goes on.
  public enum Next {
    /// Another turn, if the budget has one.
    AGAIN,
    /// The goal is reached.
    COMPLETE,
    /// The goal is paused, and the turn has ended.
    PAUSE,
    /// The goal is paused, and the turn is gone on with later.
    SUSPEND,
    /// The budget does not suffice for another one; the turn has ended.
    LIMITED
  }

  public GoalTurn {
    Objects.requireNonNull(next, "next");
  }

  /// Another turn is needed.
  public static GoalTurn again() {
    return new GoalTurn(Next.AGAIN, "", Spend.NONE);
  }

  /// The goal is reached.
  public static GoalTurn complete(String note) {
    return new GoalTurn(Next.COMPLETE, note, Spend.NONE);
  }

  /// Somebody has to look at it before another turn begins.
  public static GoalTurn pause(String why) {
    return new GoalTurn(Next.PAUSE, why, Spend.NONE);
  }

  /// The turn cannot go on now, such as for want of an answer.
  public static GoalTurn suspend(String why) {
    return new GoalTurn(Next.SUSPEND, why, Spend.NONE);
  }

  /// The next call of a model does not fit into what is left.
  public static GoalTurn limited(String why) {
    return new GoalTurn(Next.LIMITED, why, Spend.NONE);
  }

  /// The same, having spent this.
  public GoalTurn spending(Spend told) {
    return new GoalTurn(next, note, told);
  }
}
