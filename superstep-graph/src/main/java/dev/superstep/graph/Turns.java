package dev.superstep.graph;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Which task of a superstep begins next, as far as the limits, rates and priorities of their nodes
/// let it. Safe for many threads.
final class Turns {
  static final int NONE = -1;

  private final List<Task> tasks;
  private final Pacing pacing;
  private final boolean isCached;
  private final AtomicInteger next = new AtomicInteger();

  /// Empty if no node has a limit, a rate or a priority, and then nothing here needs a lock.
  private final List<Group> groups;

  private boolean stopped;

  /// Who waits for the time when a rate lets the next task begin, if anyone does.
  private @Nullable Thread timing;

  Turns(List<Task> tasks, Allowance allowance) {
    this.tasks = tasks;
    this.pacing = allowance.pacing();
    this.isCached = allowance.reuse() != null;
    this.groups = tasks.stream().anyMatch(this::isSpecial) ? groups(tasks) : List.of();
  }

  /// The place of a task that nobody else was given, or [#NONE] if none is left. Waits while only
  /// tasks are left that may not begin yet.
  int take() {
    if (!groups.isEmpty()) return takeLimited();
    int taken = next.getAndIncrement();
    return taken < tasks.size() ? taken : NONE;
  }

  /// The task at this place has ended.
  void done(int place) {
    if (groups.isEmpty()) return;
    synchronized (this) {
      for (var group : groups) if (group.running.remove(place)) break;
      notifyAll();
    }
  }

  /// The task at this place came too early for its rates; it is given out again when they let it.
  synchronized void back(int place) {
    for (var group : groups) {
      if (group.running.remove(place)) {
        group.waiting.add(place);
        break;
      }
    }
    notifyAll();
  }

  /// No task is to begin any more.
  void stop() {
    next.set(tasks.size());
    synchronized (this) {
      stopped = true;
      if (timing != null) timing.interrupt();
      notifyAll();
    }
  }

  private int takeLimited() {
    while (true) {
      Duration wait;
      synchronized (this) {
        if (stopped) return NONE;
        var look = look();
        if (look.place != NONE || !look.left) return look.place;
        if (look.pause == null || timing != null) {
          // Someone else will make room, or keeps the time.
          if (!pause()) return NONE;
          continue;
        }
        wait = look.pause;
        timing = Thread.currentThread();
      }
      if (!sleep(wait)) return NONE;
    }
  }

  /// What can be begun now.
  ///
  /// @param left whether any task is left to begin
  /// @param pause after which time a rate lets a task begin, if one is held up by a rate
  private record Look(int place, boolean left, @Nullable Duration pause) {}

  private Look look() {
    boolean left = false;
    Duration soonest = null;
    for (var group : groups) {
      if (group.waiting.isEmpty()) continue;
      left = true;
      if (group.running.size() >= group.limit) continue;
      var task = tasks.get(group.waiting.element());
      if (isPaced(task)) {
        var wait = pacing.admit(task);
        // A task that cannot begin before the run's deadline begins, and finds that out itself.
        if (!wait.isZero() && !pacing.isTooLate(wait)) {
          if (soonest == null || wait.compareTo(soonest) < 0) soonest = wait;
          continue;
        }
      }
      int place = group.waiting.remove();
      group.running.add(place);
      return new Look(place, true, null);
    }
    return new Look(NONE, left, soonest);
  }

  /// Whether a task needs leave of a rate to begin. One that may be cached is given out to find
  /// that out first.
  private boolean isPaced(Task task) {
    var node = task.due().node();
    if (!pacing.limits(node)) return false;
    boolean mayBeCached = isCached && node.policy() != null && node.policy().cache() != null;
    return !mayBeCached || task.isSought();
  }

  /// @return false if the worker was interrupted: the run is cancelled, and then nothing begins
  @SuppressWarnings("WaitNotInLoop") // the caller looks again
  private boolean pause() {
    try {
      wait();
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /// @return false if the worker was interrupted
  private boolean sleep(Duration wait) {
    try {
      pacing.sleep(wait);
      return true;
    } catch (InterruptedException _) {
      return false;
    } finally {
      synchronized (this) {
        timing = null;
        // Those that waited for room alone may have to keep the time now.
        notifyAll();
      }
    }
  }

  private List<Group> groups(List<Task> tasks) {
    var groups = new LinkedHashMap<NodeSpec, Group>();
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      groups
          .computeIfAbsent(
              task.due().node(),
              node -> new Group(limit(task), priority(node), new ArrayDeque<>(), new HashSet<>()))
          .waiting
          .add(i);
    }
    var ordered = new ArrayList<>(groups.values());
    ordered.sort(Comparator.comparingInt(Group::priority).reversed());
    return ordered;
  }

  private boolean isSpecial(Task task) {
    var node = task.due().node();
    return limit(task) < tasks.size() || priority(node) != 0 || pacing.limits(node);
  }

  private static int limit(Task task) {
    var policy = task.due().node().policy();
    return policy == null ? Integer.MAX_VALUE : policy.concurrency();
  }

  private static int priority(NodeSpec node) {
    return node.policy() == null ? 0 : node.policy().priority();
  }

  /// The tasks of one node, by their places.
  private record Group(int limit, int priority, Queue<Integer> waiting, Set<Integer> running) {}
}
