package dev.superstep.goal;

import dev.superstep.budget.Spend;
import dev.superstep.json.Codec;
import dev.superstep.store.Filter;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The goals of threads, one for each. They are stored in a [Store], so any process may pause,
/// raise or resume a goal while another one works on it in a [GoalLoop].
///
/// ```java
/// var goals = Goals.in(store);
/// goals.set("ann", "Answer every open letter.", GoalBudget.unlimited().turns(20));
/// goals.pause("ann", "not at night");
/// ```
///
/// Immutable, safe for many threads.
public final class Goals {
  private static final Namespace GOALS = Namespace.of("superstep", "goals");
  private static final Codec<Goal> CODEC = Codec.of(Goal.class);
  private static final int TRIES_MAX = 1_000;

  private final Store store;
  private final InstantSource clock;

  private Goals(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /// The goals in a store.
  public static Goals in(Store store) {
    return new Goals(store, InstantSource.system());
  }

  /// Returns the goals with another clock.
  public Goals clock(InstantSource source) {
    return new Goals(store, source);
  }

  /// Gives a thread a goal, which is active. One that is complete gives way to it.
  ///
  /// @throws GoalExists if the thread has one that is not complete
  public Goal set(String thread, String objective, GoalBudget budget) {
    if (objective.isBlank()) throw new IllegalArgumentException("objective must not be blank");
    for (int i = 0; i < TRIES_MAX; i++) {
      var seen = item(thread);
      var before = seen.map(item -> item.as(CODEC));
      if (before.filter(goal -> goal.status() != GoalStatus.COMPLETE).isPresent()) {
        throw new GoalExists(before.get());
      }
      var goal = Goal.begin(thread, objective, budget, now());
      if (save(goal, seen)) return goal;
    }
    throw new GoalContended(thread, TRIES_MAX);
  }

  /// The goal of a thread.
  ///
  /// @throws NoGoal if it has none
  public Goal get(String thread) {
    return find(thread).orElseThrow(() -> new NoGoal(thread));
  }

  /// The goal of a thread, if it has one.
  public Optional<Goal> find(String thread) {
    return item(thread).map(item -> item.as(CODEC));
  }

  /// Goals that stand so, the one that changed last first; 1,000 at most.
  public List<Goal> withStatus(GoalStatus status) {
    var search =
        Search.in(GOALS).where(Filter.eq("/status", status.name())).limit(Search.LIMIT_MAX);
    return store.search(search).stream().map(hit -> hit.item().as(CODEC)).toList();
  }

  /// Begins no further turn; the one that is under way ends.
  ///
  /// @throws IllegalGoalTransition if it is paused or complete
  public Goal pause(String thread, String why) {
    return change(thread, goal -> moved(goal, GoalStatus.PAUSED, why));
  }

  /// Goes on with a goal that is paused or limited, when a [GoalLoop] runs.
  ///
  /// @throws IllegalGoalTransition if it is active or complete
  /// @throws GoalBudgetExhausted if its budget leaves nothing for a turn
  public Goal resume(String thread) {
    return change(
        thread,
        goal -> {
          var active = moved(goal, GoalStatus.ACTIVE, "");
          if (goal.isUsedUp()) throw new GoalBudgetExhausted(goal);
          return active;
        });
  }

  /// Gives a goal another budget, over all its turns, those that have ended included. A goal that
  /// is limited stays so until it is resumed.
  ///
  /// @throws IllegalGoalTransition if it is complete
  public Goal raise(String thread, GoalBudget budget) {
    return change(
        thread,
        goal -> {
          boolean isOver = goal.status() == GoalStatus.COMPLETE;
          if (isOver) throw new IllegalGoalTransition(goal, GoalStatus.ACTIVE);
          return goal.with(budget, now());
        });
  }

  /// The goal is reached.
  ///
  /// @throws IllegalGoalTransition if it is complete already
  public Goal complete(String thread, String result) {
    return change(thread, goal -> moved(goal, GoalStatus.COMPLETE, result));
  }

  /// Forgets the goal of a thread.
  ///
  /// @return whether it had one
  public boolean clear(String thread) {
    return store.delete(GOALS, thread);
  }

  /// Begins a turn, or continues an unfinished one. No turn begins if the goal was paused
  /// meanwhile, or its budget is exhausted.
  Goal open(String thread) {
    return change(
        thread,
        goal -> {
          if (goal.status() != GoalStatus.ACTIVE) return goal;
          if (goal.isUsedUp()) {
            return goal.with(GoalStatus.BUDGET_LIMITED, "the budget is used up", now());
          }
          return goal.isOpen() ? goal : goal.opened(now());
        });
  }

  /// Counts a finished turn, once, and sets the goal's new status.
  ///
  /// @param spent the spending since the turn began
  Goal settle(Goal begun, GoalTurn turn, Spend spent, boolean recalls) {
    return change(
        begun.thread(),
        goal -> {
          if (!goal.isSameTurn(begun)) return goal;
          boolean ends =
              switch (turn.next()) {
                case AGAIN, COMPLETE, PAUSE, LIMITED -> true;
                case SUSPEND, LATER -> false;
              };
          var counted = ends ? goal.closed(spent, now()) : goal.suspended(spent, !recalls, now());
          return after(counted, turn);
        });
  }

  /// Counts what a turn has spent that met the end of the budget before its own.
  Goal limit(Goal begun, String why, Spend spent, boolean recalls) {
    return change(
        begun.thread(),
        goal -> {
          if (!goal.isSameTurn(begun)) return goal;
          return after(goal.suspended(spent, !recalls, now()), GoalTurn.limited(why));
        });
  }

  /// Counts what a turn spent that failed.
  Goal count(Goal begun, Spend spent, boolean recalls) {
    return change(
        begun.thread(),
        goal -> goal.isSameTurn(begun) ? goal.suspended(spent, !recalls, now()) : goal);
  }

  /// Who paused or completed the goal while the turn was under way has the last word, except that a
  /// goal which is reached is reached.
  private Goal after(Goal goal, GoalTurn turn) {
    return switch (goal.status()) {
      case COMPLETE -> goal;
      case PAUSED, BUDGET_LIMITED ->
          turn.next() == GoalTurn.Next.COMPLETE
              ? goal.with(GoalStatus.COMPLETE, turn.note(), now())
              : goal;
      case ACTIVE ->
          switch (turn.next()) {
            case COMPLETE -> goal.with(GoalStatus.COMPLETE, turn.note(), now());
            case PAUSE, SUSPEND -> goal.with(GoalStatus.PAUSED, turn.note(), now());
            case LIMITED -> goal.with(GoalStatus.BUDGET_LIMITED, turn.note(), now());
            case LATER -> goal;
            case AGAIN ->
                goal.isUsedUp()
                    ? goal.with(GoalStatus.BUDGET_LIMITED, "the budget is used up", now())
                    : goal;
          };
    };
  }

  private Goal moved(Goal goal, GoalStatus to, String why) {
    if (!goal.status().next().contains(to)) throw new IllegalGoalTransition(goal, to);
    return goal.with(to, why, now());
  }

  private Goal change(String thread, UnaryOperator<Goal> change) {
    for (int i = 0; i < TRIES_MAX; i++) {
      var seen = item(thread);
      var before = seen.orElseThrow(() -> new NoGoal(thread)).as(CODEC);
      var after = change.apply(before);
      if (after.equals(before) || save(after, seen)) return after;
    }
    throw new GoalContended(thread, TRIES_MAX);
  }

  private Optional<Item> item(String thread) {
    return store.get(GOALS, thread);
  }

  private boolean save(Goal goal, Optional<Item> before) {
    var put = Put.of(GOALS, goal.thread(), goal, CODEC).notEmbedded();
    var kept =
        before.isPresent()
            ? store.putIfVersion(put, before.get().version())
            : store.putIfAbsent(put);
    return kept.isPresent();
  }

  /// As a database keeps it.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public String toString() {
    return "Goals[" + store + "]";
  }
}
