package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/// The hold of one run on its thread in one store. The lease is renewed until it is closed.
final class Hold implements AutoCloseable {
  /// How often a lease is renewed in its time.
  private static final int BEATS = 5;

  private final Checkpointer store;
  private final Lease lease;
  private final Duration time;
  private final StopSwitch stop;
  private final Heart heart;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final ReentrantLock turn = new ReentrantLock();
  private boolean over;

  Hold(Checkpointer store, Lease lease, RunOptions options, StopSwitch stop) {
    this.store = store;
    this.lease = lease;
    this.time = options.lease();
    this.stop = stop;
    this.heart = Heart.every(time.dividedBy(BEATS));
    heart.add(this);
  }

  DirectWrites writes() {
    return new DirectWrites(store, lease);
  }

  /// Gives the lease back, after what is under way of its renewal: a lease that is given back must
  /// not be renewed.
  @Override
  public void close() {
    heart.remove(this);
    turn.lock();
    try {
      over = true;
      store.release(lease);
    } catch (StoreFailed e) {
      // What the run saved is safe; others have to wait until the lease is over.
      Log.warn("A lease could not be given back.", e);
    } finally {
      turn.unlock();
    }
  }

  /// Begins to renew the lease, unless it is still being renewed.
  void beat() {
    if (renewing.compareAndSet(false, true)) TaskPool.start(lease.thread(), "lease", this::renew);
  }

  private void renew() {
    turn.lock();
    try {
      if (over) return;
      if (store.renew(lease, time)) stop.stop();
    } catch (LeaseLost e) {
      heart.remove(this);
      stop.lost(e);
    } catch (StoreFailed e) {
      // The lease lasts for some beats more, and a write of the run will tell if it does not help.
      Log.warn("A lease could not be renewed; it is tried again.", e);
    } finally {
      renewing.set(false);
      turn.unlock();
    }
  }
}
