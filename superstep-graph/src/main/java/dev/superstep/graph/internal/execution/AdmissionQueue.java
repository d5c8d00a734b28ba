package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Which task of a superstep begins next, as far as the limits, rates and priorities of their nodes
/// let it. Safe for many threads.
final class AdmissionQueue {
  static final int NONE = -1;

  private static final Comparator<Group> ORDER =
      Comparator.comparingInt((Group group) -> group.priority)
          .reversed()
          .thenComparingInt(group -> group.order);

  private final List<Task> tasks;
  private final RateLimiter rateLimiter;
  private final boolean isCached;
  private final AtomicInteger next = new AtomicInteger();

  /// For each task, those of its node. Empty if no node has a limit, a rate or a priority, and then
  /// nothing here needs a lock.
  private final List<Group> groups;

  /// Groups whose next task may begin as far as their limits say: those that need no leave of a
  /// rate, and those that do.
  private final NavigableSet<Group> free = new TreeSet<>(ORDER);

  private final NavigableSet<Group> paced = new TreeSet<>(ORDER);

  /// Groups that the rate of their node holds up, the soonest first.
  private final PriorityQueue<Group> late =
      new PriorityQueue<>(Comparator.comparing((Group group) -> group.until));

  private int left;

  private boolean stopped;

  /// Who waits for the time when a rate lets the next task begin, if anyone does.
  private @Nullable Thread timing;

  AdmissionQueue(List<Task> tasks, RunLimits limits) {
    this.tasks = tasks;
    this.rateLimiter = limits.rateLimiter();
    this.isCached = limits.nodeCache() != null;
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
      var group = groups.get(place);
      group.running--;
      offer(group);
      wake();
    }
  }

  /// The task at this place came too early for its rates; it is given out again when they let it.
  synchronized void back(int place) {
    var group = groups.get(place);
    group.running--;
    group.waiting.add(place);
    left++;
    offer(group);
    wake();
  }

  private void wake() {
    // A task that was found in a cache gives back the leave that another one may take.
    if (isCached) while (!late.isEmpty()) offer(inTime(late.remove()));
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

  /// The next task that can begin now.
  ///
  /// @param left whether any task is left to begin
  /// @param pause the time until a rate admits a task, if a rate delays one
  private record Selection(int place, boolean left, @Nullable Duration pause) {}

  private Selection look() {
    if (!late.isEmpty()) {
      var now = rateLimiter.time();
      while (!late.isEmpty() && !late.element().until.isAfter(now)) offer(inTime(late.remove()));
    }
    Duration pause = null;
    while (true) {
      // The rate of the run delays the tasks of every node.
      var group = first(pause == null);
      if (group == null) break;
      var wait = paced.contains(group) ? wait(group) : Duration.ZERO;
      if (wait.isZero()) return new Selection(admit(group), true, null);
      var all = rateLimiter.runWait();
      if (!all.isZero()) {
        pause = all;
        continue;
      }
      paced.remove(group);
      group.until = rateLimiter.time().plus(wait);
      group.isLate = true;
      late.add(group);
    }
    return new Selection(NONE, left > 0, sooner(pause));
  }

  /// The group whose turn it is, or null.
  private @Nullable Group first(boolean isAnyPaced) {
    if (!isAnyPaced || paced.isEmpty()) return free.isEmpty() ? null : free.first();
    if (free.isEmpty()) return paced.first();
    return ORDER.compare(free.first(), paced.first()) < 0 ? free.first() : paced.first();
  }

  /// Returns how long the next task of a group must wait; zero if it was admitted.
  private Duration wait(Group group) {
    var wait = rateLimiter.admit(tasks.get(group.waiting.element()));
    // A task that cannot begin before the run's deadline begins, and finds that out itself.
    return rateLimiter.isTooLate(wait) ? Duration.ZERO : wait;
  }

  private @Nullable Duration sooner(@Nullable Duration pause) {
    if (late.isEmpty()) return pause;
    var wait = Duration.between(rateLimiter.time(), late.element().until);
    if (!wait.isPositive()) wait = Duration.ofNanos(1);
    return pause != null && pause.compareTo(wait) < 0 ? pause : wait;
  }

  private int admit(Group group) {
    free.remove(group);
    paced.remove(group);
    int place = group.waiting.remove();
    left--;
    group.running++;
    offer(group);
    return place;
  }

  private static Group inTime(Group group) {
    group.isLate = false;
    return group;
  }

  /// Puts a group where it waits for its turn, if its next task may begin.
  private void offer(Group group) {
    if (group.isLate) return;
    free.remove(group);
    paced.remove(group);
    if (group.waiting.isEmpty() || group.running >= group.limit) return;
    (isPaced(tasks.get(group.waiting.element())) ? paced : free).add(group);
  }

  /// Returns whether a task needs a permit of a rate to begin. A task that may be cached is started
  /// first, to look into the cache.
  private boolean isPaced(Task task) {
    var node = task.due().node();
    if (!rateLimiter.limits(node)) return false;
    boolean mayBeCached = isCached && node.policy() != null && node.policy().cache() != null;
    return !mayBeCached || task.isCacheMiss();
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
      rateLimiter.sleep(wait);
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
    var byNode = new HashMap<NodeSpec, Group>();
    var groups = new ArrayList<Group>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      var group =
          byNode.computeIfAbsent(
              task.due().node(), node -> new Group(byNode.size(), limit(task), priority(node)));
      group.waiting.add(i);
      groups.add(group);
    }
    left = tasks.size();
    byNode.values().forEach(this::offer);
    return groups;
  }

  private boolean isSpecial(Task task) {
    var node = task.due().node();
    return limit(task) < tasks.size() || priority(node) != 0 || rateLimiter.limits(node);
  }

  private static int limit(Task task) {
    var policy = task.due().node().policy();
    return policy == null ? Integer.MAX_VALUE : policy.concurrency();
  }

  private static int priority(NodeSpec node) {
    return node.policy() == null ? 0 : node.policy().priority();
  }

  /// The tasks of one node, by their places.
  private static final class Group {
    private final int order;
    private final int limit;
    private final int priority;
    private final Queue<Integer> waiting = new ArrayDeque<>();
    private int running;
    private boolean isLate;
    private Instant until = Instant.MIN;

    Group(int order, int limit, int priority) {
      this.order = order;
      this.limit = limit;
      this.priority = priority;
    }
  }
}
