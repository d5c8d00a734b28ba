package dev.superstep.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Which task of a superstep begins next, as far as the limits of their nodes let it. Safe for many
/// threads.
final class Turns {
  static final int NONE = -1;

  private final int size;
  private final AtomicInteger next = new AtomicInteger();

  /// Empty if no node has a limit, and then nothing here needs a lock.
  private final List<Group> groups;

  private boolean stopped;

  Turns(List<Task> tasks) {
    this.size = tasks.size();
    this.groups = tasks.stream().anyMatch(t -> limit(t) < size) ? groups(tasks) : List.of();
  }

  /// The place of a task that nobody else was given, or [#NONE] if none is left. Waits while only
  /// tasks are left whose nodes have as many at work as they may.
  int take() {
    if (!groups.isEmpty()) return takeLimited();
    int taken = next.getAndIncrement();
    return taken < size ? taken : NONE;
  }

  /// The task at this place has ended.
  void done(int place) {
    if (groups.isEmpty()) return;
    synchronized (this) {
      for (var group : groups) if (group.running.remove(place)) break;
      notifyAll();
    }
  }

  /// No task is to begin any more.
  void stop() {
    next.set(size);
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
  }

  private synchronized int takeLimited() {
    while (!stopped) {
      boolean left = false;
      for (var group : groups) {
        left |= !group.waiting.isEmpty();
        if (group.waiting.isEmpty() || group.running.size() >= group.limit) continue;
        int place = group.waiting.remove();
        group.running.add(place);
        return place;
      }
      if (!left) return NONE;
      try {
        wait();
      } catch (InterruptedException _) {
        // Workers are interrupted when the run is cancelled, and then nothing begins.
        return NONE;
      }
    }
    return NONE;
  }

  private static List<Group> groups(List<Task> tasks) {
    var groups = new LinkedHashMap<NodeSpec, Group>();
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      groups
          .computeIfAbsent(
              task.due().node(), _ -> new Group(limit(task), new ArrayDeque<>(), new HashSet<>()))
          .waiting
          .add(i);
    }
    return new ArrayList<>(groups.values());
  }

  private static int limit(Task task) {
    var policy = task.due().node().policy();
    return policy == null ? Integer.MAX_VALUE : policy.concurrency();
  }

  /// The tasks of one node, by place.
  private record Group(int limit, Queue<Integer> waiting, Set<Integer> running) {}
}
