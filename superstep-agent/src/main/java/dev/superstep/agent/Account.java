package dev.superstep.agent;

import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.SuperstepLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The ledger of a run of an agent, and the log by which it is known after a crash. The log is that
/// of the superstep of the outermost agent around, so it holds what all its agents spend at once.
/// Safe for many threads.
///
/// @param runs the agents around and this one, the outermost first; among them the tasks of tools
///   that are graphs
/// @param isInTool whether a tool that is a graph is around, whose channels know of no spending
record Account(Ledger ledger, SuperstepLog<Entry> log, List<String> runs, boolean isInTool) {
  static final String LOG = "spending";

  Account {
    runs = List.copyOf(runs);
  }

  /// A call that is about to be sent, with the most that it may take; or what a call took.
  ///
  /// @param of the entry of the call that this settles; empty if there is none
  /// @param task of the node that asked
  /// @param purpose of the call; empty for a turn
  record Entry(String of, List<String> runs, String task, String purpose, Spend spend) {}

  /// Notes a call before it is sent: if the process dies, it counts as the most that it may take.
  ///
  /// @return what [#settled] is given
  String reserved(String task, String purpose, Spend most) {
    return log.add(new Entry("", runs, task, purpose, most));
  }

  /// Notes what a call took.
  void settled(String reservation, String task, String purpose, Spend took) {
    log.add(new Entry(reservation, runs, task, purpose, took));
  }

  /// What is noted of a run and all inside it.
  Spend inside(String run) {
    return sum(log, entry -> entry.runs().contains(run));
  }

  /// What a task has spent on its turn, all its attempts included.
  Spend ofTurn(String task) {
    return sum(log, entry -> entry.purpose().isEmpty() && entry.task().equals(task));
  }

  /// What a task has spent beside its turn.
  Spend beside(String task) {
    return sum(log, entry -> !entry.purpose().isEmpty() && entry.task().equals(task));
  }

  /// Whether anything is noted of a purpose.
  boolean knows(String task, String purpose) {
    for (var entry : log.entries().values()) {
      if (entry.task().equals(task) && entry.purpose().equals(purpose)) return true;
    }
    return false;
  }

  /// What is noted of all.
  static Spend all(SuperstepLog<Entry> log) {
    return sum(log, _ -> true);
  }

  private static Spend sum(SuperstepLog<Entry> log, Predicate<Entry> counts) {
    Map<String, Entry> entries = log.entries();
    if (entries.isEmpty()) return Spend.NONE;
    var settled = new HashSet<String>();
    for (var entry : entries.values()) if (!entry.of().isEmpty()) settled.add(entry.of());
    var sum = Spend.NONE;
    for (var at : entries.entrySet()) {
      boolean stands = !settled.contains(at.getKey());
      if (stands && counts.test(at.getValue())) sum = sum.plus(at.getValue().spend());
    }
    return sum;
  }

  /// The account of what runs inside this one.
  Account within(Ledger other, String run) {
    return new Account(other, log, runs(run), isInTool);
  }

  /// The account of a tool that is a graph.
  Account withinTool(Ledger other, String task) {
    return new Account(other, log, runs(task), true);
  }

  private List<String> runs(String more) {
    var all = new ArrayList<>(runs);
    all.add(more);
    return all;
  }
}
