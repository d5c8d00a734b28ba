package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import java.time.Duration;

/// The hold of one run on its thread in one store. The lease is renewed until it is closed.
final class Hold implements AutoCloseable {
  /// How often a lease is renewed in its time.
  private static final int BEATS = 5;

  private static final System.Logger LOG = System.getLogger("dev.superstep.graph");

  private final Checkpointer store;
  private final Lease lease;
  private final Duration time;
  private final StopSwitch stop;
  private final Thread heart;

  Hold(Checkpointer store, Lease lease, RunOptions options, StopSwitch stop) {
    this.store = store;
    this.lease = lease;
    this.time = options.lease();
    this.stop = stop;
    this.heart = TaskPool.start(lease.thread(), "lease", this::beat);
  }

  DirectWrites writes() {
    return new DirectWrites(store, lease);
  }

  @Override
  public void close() {
    heart.interrupt();
    try {
      store.release(lease);
    } catch (StoreFailed e) {
      // What the run saved is safe; others have to wait until the lease is over.
      LOG.log(System.Logger.Level.WARNING, "A lease could not be given back.", e);
    }
  }

  private void beat() {
    try {
      while (true) {
        Thread.sleep(time.dividedBy(BEATS));
        if (!renew()) return;
      }
    } catch (InterruptedException _) {
      // The run has ended.
    }
  }

  private boolean renew() {
    try {
      if (store.renew(lease, time)) stop.stop();
      return true;
    } catch (LeaseLost e) {
      stop.lost(e);
      return false;
    } catch (StoreFailed e) {
      // The lease lasts for some beats more, and a write of the run will tell if it does not help.
      LOG.log(System.Logger.Level.WARNING, "A lease could not be renewed; it is tried again.", e);
      return true;
    }
  }
}
