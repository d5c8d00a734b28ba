package dev.superstep.agent.internal.state;

import dev.superstep.budget.Spend;
import dev.superstep.node.NodeContext;
import dev.superstep.node.SuperstepLog;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The calls of models in the log of a superstep of the outermost agent. It holds the spending of
/// all agents inside, so one read finds all of it. Each entry is counted for each caller. Safe for
/// many threads.
public final class SpendingLog {
  private static final String NAME = "spending";

  /// A call that is about to be sent, with the most that it may take; or what a call took.
  ///
  /// @param of the entry of the call that this settles; empty if there is none
  /// @param runs the callers and the agent that asks, the outermost first
  /// @param task of the node that asked
  /// @param purpose of the call; empty for a turn
  record Entry(String of, List<String> runs, String task, String purpose, Spend spend) {}

  private final SuperstepLog<Entry> log;
  private final int superstep;
  // Each by the id of the entry that was first: what settles a call takes its place.
  private final Map<String, Entry> all = new LinkedHashMap<>();
  private final Map<String, Map<String, Entry>> byRun = new HashMap<>();
  private final Map<String, Map<String, Entry>> byTask = new HashMap<>();

  private SpendingLog(SuperstepLog<Entry> log, int superstep) {
    this.log = log;
    this.superstep = superstep;
    log.entries().forEach(this::put);
  }

  /// That of the superstep of a node of the outermost agent.
  public static SpendingLog of(NodeContext node) {
    return new SpendingLog(node.log(NAME, Entry.class), node.step());
  }

  /// Returns true if this is the log of the node's superstep.
  public boolean isOf(NodeContext node) {
    return superstep == node.step();
  }

  /// Saves an entry.
  ///
  /// @return its id
  String add(Entry entry) {
    var id = log.add(entry);
    synchronized (this) {
      put(id, entry);
    }
    return id;
  }

  private void put(String id, Entry entry) {
    var place = entry.of().isEmpty() ? id : entry.of();
    all.put(place, entry);
    for (var run : entry.runs()) {
      byRun.computeIfAbsent(run, _ -> new LinkedHashMap<>()).put(place, entry);
    }
    byTask
        .computeIfAbsent(place(entry.runs(), entry.task()), _ -> new LinkedHashMap<>())
        .put(place, entry);
  }

  /// The sum of all entries.
  public synchronized Spend all() {
    return sum(all, _ -> true);
  }

  /// The sum of the entries of a run and all inside it.
  public synchronized Spend inside(String run) {
    return sum(byRun.getOrDefault(run, Map.of()), _ -> true);
  }

  /// The sum of the entries of all runs whose names begin alike, and all inside them.
  synchronized Spend insideAll(String begin) {
    var found = new LinkedHashMap<String, Entry>();
    byRun.forEach((run, entries) -> {
      if (run.startsWith(begin)) found.putAll(entries);
    });
    return sum(found, _ -> true);
  }

  /// The spending of a task on its turn, all its attempts included.
  synchronized Spend ofTurn(List<String> runs, String task) {
    return sum(
        byTask.getOrDefault(place(runs, task), Map.of()), entry -> entry.purpose().isEmpty());
  }

  /// The spending of a task beside its turn.
  synchronized Spend besideTurn(List<String> runs, String task) {
    return sum(
        byTask.getOrDefault(place(runs, task), Map.of()), entry -> !entry.purpose().isEmpty());
  }

  /// Returns true if a task has asked for this purpose.
  synchronized boolean knows(List<String> runs, String task, String purpose) {
    for (var entry : byTask.getOrDefault(place(runs, task), Map.of()).values()) {
      if (entry.purpose().equals(purpose)) return true;
    }
    return false;
  }

  private static String place(List<String> runs, String task) {
    return runs.getLast() + " " + task;
  }

  private static Spend sum(Map<String, Entry> entries, Predicate<Entry> counts) {
    var sum = Spend.NONE;
    for (var entry : entries.values()) if (counts.test(entry)) sum = sum.plus(entry.spend());
    return sum;
  }
}
