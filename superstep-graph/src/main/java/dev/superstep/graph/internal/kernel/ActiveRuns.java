package dev.superstep.graph.internal.kernel;

import dev.superstep.error.RunRefused;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The runs at work that one `Drain` ends, behind it. Safe for many threads.
public final class ActiveRuns {
  private static final ActiveRuns PROCESS = new ActiveRuns();

  private final Set<ActiveRun> running = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean draining;

  /// A run at work.
  public interface ActiveRun {
    /// The name of its graph.
    String graph();

    /// Its id.
    String run();

    /// The thread of the run, if it has one.
    Optional<String> thread();
  }

  /// Those of this process that were given no other drain, but those that nodes begin.
  public static ActiveRuns ofProcess() {
    return PROCESS;
  }

  /// Has the runs end where they can be resumed, and refuses new ones.
  public void drain() {
    draining = true;
  }

  /// Lets runs begin again.
  public void stopDraining() {
    draining = false;
    signal();
  }

  public boolean isDraining() {
    return draining;
  }

  public List<ActiveRun> all() {
    return List.copyOf(running);
  }

  /// Waits until no run is at work, or the time is over, or the drain is stopped.
  public void await(Duration most) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(most);
    lock.lockInterruptibly();
    try {
      while (left > 0 && draining && !running.isEmpty()) left = changed.awaitNanos(left);
    } finally {
      lock.unlock();
    }
  }

  /// A run begins.
  ///
  /// @throws RunRefused if the runs are drained
  public void enter(ActiveRun run) {
    running.add(run);
    // Checked after the run was added, so that a later drain finds it.
    if (!draining) return;
    leave(run);
    throw new RunRefused(run.graph(), run.thread());
  }

  /// A run is over.
  public void leave(ActiveRun run) {
    running.remove(run);
    if (draining) signal();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
