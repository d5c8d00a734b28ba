package dev.superstep.graph.internal.persistence;

import dev.superstep.graph.internal.kernel.EngineThreads;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Renews the leases of all runs of this process that are renewed equally often. It has one thread
/// while there are any: one for each run would cost more than most of its supersteps. Safe for many
/// threads.
public final class LeaseRenewer {
  private static final ConcurrentHashMap<Duration, LeaseRenewer> HEARTS = new ConcurrentHashMap<>();

  /// The number of renewals in the time of a lease.
  private static final int BEATS = 5;

  private static final int RENEWERS = 8;
  private static final int IDLE_SECONDS = 10;

  private final Duration time;
  private final Duration pause;
  private final Set<ThreadLease> holds = new HashSet<>();
  private boolean beating;

  private LeaseRenewer(Duration time) {
    this.time = time;
    this.pause = time.dividedBy(BEATS);
  }

  /// The renewer of leases that last this long.
  public static LeaseRenewer of(Duration time) {
    return HEARTS.computeIfAbsent(time, LeaseRenewer::new);
  }

  /// Renews it at the next beat, and at each one after that.
  synchronized void add(ThreadLease threadLease) {
    holds.add(threadLease);
    if (beating) return;
    beating = true;
    EngineThreads.besides("leases").newThread(this::beat).start();
  }

  synchronized void remove(ThreadLease threadLease) {
    holds.remove(threadLease);
  }

  /// The leases that are renewed at the next beat.
  public synchronized List<ThreadLease> leases() {
    return List.copyOf(holds);
  }

  /// Where leases are renewed. A store that does not answer one is not to keep the others waiting,
  /// so when all of these threads are at work, more is done on virtual ones.
  private static final class Renewers {
    static final Executor THREADS =
        new ThreadPoolExecutor(
            0,
            RENEWERS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            EngineThreads.besides("lease"),
            (renewal, _) -> EngineThreads.start("leases", "lease", renewal));
  }

  /// Where a lease is renewed.
  static Executor renewers() {
    return Renewers.THREADS;
  }

  private void beat() {
    while (true) {
      pause();
      var all = all();
      if (all.isEmpty()) return;
      for (var threadLease : all) threadLease.beat();
    }
  }

  /// Waits for the next beat. Launchers such as `mvn exec:java` interrupt the threads that are left
  /// after `main`: then the next beat comes at once, and ends this thread unless a run is at work.
  private void pause() {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException _) {
      // The leases of runs at work are renewed for as long as they are.
    }
  }

  /// Returns the leases to renew; if there are none, the renewer has stopped.
  private synchronized List<ThreadLease> all() {
    if (holds.isEmpty()) {
      beating = false;
      // A caller that has just found it here starts it again.
      HEARTS.remove(time, this);
    }
    return List.copyOf(holds);
  }
}
