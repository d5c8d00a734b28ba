package dev.superstep.agent.internal.state;

import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import java.util.ArrayList;
import java.util.List;

/// The ledger of a run of an agent, and the log by which it is known after a crash. Safe for many
/// threads.
///
/// @param log the log of the outermost agent's superstep
/// @param runs the callers and this agent, the outermost first; among them the tasks of tools that
///   are graphs
/// @param isInTool whether the agent runs inside a tool that is a graph, whose channels have no
///   spending
public record RunLedger(Ledger ledger, SpendingLog log, List<String> runs, boolean isInTool) {
  public RunLedger {
    runs = List.copyOf(runs);
  }

  /// Notes a call before it is sent: if the process dies, it counts as the most that it may take.
  ///
  /// @return what [#settled] is given
  public String reserved(String task, String purpose, Spend most) {
    return log.add(new SpendingLog.Entry("", runs, task, purpose, most));
  }

  /// Notes what a call took.
  ///
  /// @param reservation empty if it was not noted before it was sent
  public void settled(String reservation, String task, String purpose, Spend took) {
    log.add(new SpendingLog.Entry(reservation, runs, task, purpose, took));
  }

  /// The spending of a task on its turn, all its attempts included.
  public Spend ofTurn(String task) {
    return log.ofTurn(runs, task);
  }

  /// The spending of a task beside its turn.
  public Spend besideTurn(String task) {
    return log.besideTurn(runs, task);
  }

  /// The spending of which the log of this superstep says nothing.
  ///
  /// @param task that of the graph whose account it is
  public Spend unlogged(String task) {
    return ledger.spent().beyond(log.inside(task));
  }

  /// The spending of the graphs that ran inside a task beside its turn.
  public Spend insideTask(String task) {
    return log.insideAll(task + "/");
  }

  /// Returns true if a task has asked for this purpose.
  public boolean knows(String task, String purpose) {
    return log.knows(runs, task, purpose);
  }

  /// The account of what runs inside this one.
  public RunLedger within(Ledger other, String run) {
    return new RunLedger(other, log, runs(run), isInTool);
  }

  /// The account of a tool that is a graph.
  public RunLedger withinTool(Ledger other, String task) {
    return new RunLedger(other, log, runs(task), true);
  }

  private List<String> runs(String more) {
    var all = new ArrayList<>(runs);
    all.add(more);
    return all;
  }
}
