package dev.superstep.goal;

import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Prices;
import dev.superstep.budget.Spend;
import dev.superstep.error.RunRefused;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Works on the goal of a thread, turn by turn, until it is complete, paused or limited. Before
/// each turn the loop reads the goal again, so changes by other processes take effect.
///
/// ```java
/// var work = AgentWork.of(agent, thread -> RunOptions.thread(thread).checkpoints(threads));
/// var goal = GoalLoop.of(goals, work).run("ann");
/// ```
///
/// A turn that was interrupted by a failure, a crash or a question continues when the loop runs
/// again, in any process; its spending counts once. Model calls that use the turn's [Ledger] never
/// exceed the budget of the goal. Two loops on one thread would work on the same turn; with agents
/// on a saved thread, the second one gets `ThreadBusy`.
///
/// Immutable, safe for many threads; the `with`-like methods return changed copies.
public final class GoalLoop {
  private static final int TURNS_MAX = 1_000;

  private final Goals goals;
  private final GoalWork work;
  private final Pace pace;

  /// @param most how many turns one run takes
  private record Pace(
      int most, Predicate<Goal> gate, Consumer<Goal> listener, String currency, Prices prices) {}

  private GoalLoop(Goals goals, GoalWork work, Pace pace) {
    this.goals = goals;
    this.work = work;
    this.pace = pace;
  }

  /// A loop.
  public static GoalLoop of(Goals goals, GoalWork work) {
    var pace = new Pace(TURNS_MAX, _ -> true, _ -> {}, "USD", Prices.unknown());
    return new GoalLoop(goals, work, pace);
  }

  /// Limits the turns of one [#run]; the goal is still active after that. 1,000 unless set.
  public GoalLoop turnLimit(int most) {
    if (most < 1) throw new IllegalArgumentException("turnLimit must be at least 1, was " + most);
    return paced(new Pace(most, pace.gate, pace.listener, pace.currency, pace.prices));
  }

  /// A gate of one's own beside status and budget: where it says no, no turn is begun, and the goal
  /// stays active.
  public GoalLoop gate(Predicate<Goal> mayBegin) {
    return paced(
        new Pace(pace.most, pace.gate.and(mayBegin), pace.listener, pace.currency, pace.prices));
  }

  /// Sets a listener that receives the goal after each turn. Its exceptions end the run.
  public GoalLoop listener(Consumer<Goal> hears) {
    return paced(
        new Pace(pace.most, pace.gate, pace.listener.andThen(hears), pace.currency, pace.prices));
  }

  /// Sets the prices of models. Required if the budget of a goal limits the cost.
  ///
  /// @param currency an ISO code such as `USD`
  public GoalLoop prices(String currency, Prices prices) {
    return paced(new Pace(pace.most, pace.gate, pace.listener, currency, prices));
  }

  private GoalLoop paced(Pace other) {
    return new GoalLoop(goals, work, other);
  }

  /// Works until the goal is not active any more, the gate says no, or a
  /// [drain][dev.superstep.graph.Drain] ends the work; the goal is still active then, and a later
  /// loop continues its turn.
  ///
  /// @return the goal as it is then
  /// @throws NoGoal if the thread has none
  /// @throws GoalWorkFailed if the work throws a checked exception; others are thrown as they are
  /// @throws InterruptedException if the calling thread is interrupted; the goal stays active
  public Goal run(String thread) throws InterruptedException {
    var goal = goals.get(thread);
    for (int i = 0; i < pace.most; i++) {
      boolean begins = goal.status() == GoalStatus.ACTIVE && pace.gate.test(goal);
      if (!begins) return goal;
      goal = goals.open(thread);
      if (goal.status() != GoalStatus.ACTIVE) return goal;
      var turn = turn(goal);
      goal = turn.goal();
      pace.listener.accept(goal);
      if (turn.isCutOff()) return goal;
    }
    return goal;
  }

  /// The goal after a turn.
  ///
  /// @param isCutOff whether the turn continues when a loop runs again
  private record Turned(Goal goal, boolean isCutOff) {}

  private Turned turn(Goal goal) throws InterruptedException {
    var name = "goal of " + goal.thread();
    var before = work.recalls() ? goal.settled() : goal.spent();
    var ledger = Ledger.of(name, goal.budget().left(before, pace.currency, pace.prices));
    try {
      var turn = work.turn(goal, ledger);
      var after = goals.settle(goal, turn, spent(goal, turn.spent(), ledger), work.recalls());
      return new Turned(after, turn.next() == GoalTurn.Next.LATER);
    } catch (RunRefused _) {
      // The drain of the process, or of the work: another process goes on with the turn.
      var after = goals.count(goal, spent(goal, Spend.NONE, ledger), work.recalls());
      return new Turned(after, true);
    } catch (BudgetExceeded e) {
      if (!e.who().equals(name)) throw counted(e, goal, ledger);
      var why = String.valueOf(e.getMessage());
      var after = goals.limit(goal, why, spent(goal, Spend.NONE, ledger), work.recalls());
      return new Turned(after, false);
    } catch (InterruptedException e) {
      throw counted(e, goal, ledger);
    } catch (RuntimeException e) {
      throw counted(e, goal, ledger);
    } catch (Exception e) {
      throw new GoalWorkFailed(goal, counted(e, goal, ledger));
    }
  }

  /// Whatever was thrown: what was spent is spent.
  private <E extends Exception> E counted(E error, Goal goal, Ledger ledger) {
    try {
      goals.count(goal, spent(goal, Spend.NONE, ledger), work.recalls());
    } catch (RuntimeException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  private Spend spent(Goal goal, Spend told, Ledger ledger) {
    var spent = MergedSpending.greater(ledger.spent(), told);
    return work.recalls() ? MergedSpending.greater(spent, goal.underWay()) : spent;
  }

  @Override
  public String toString() {
    return "GoalLoop[" + goals + "]";
  }
}
