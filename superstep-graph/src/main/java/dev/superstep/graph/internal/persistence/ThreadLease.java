package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Capability.CombinedCalls;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.StoreMoved;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.kernel.RunSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The hold of one run on its thread in one store. The lease is renewed until it is closed.
public final class ThreadLease implements AutoCloseable {
  private final Checkpointer store;
  private final Lease lease;
  private final Duration time;
  private final CancellationToken token;
  private final LeaseRenewer renewer;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final ReentrantLock turn = new ReentrantLock();
  // Valid until the first use; nobody else can change the thread before.
  private final AtomicReference<@Nullable AcquiredThread> acquired = new AtomicReference<>();
  private boolean over;

  /// A lease that was acquired together with the state of the thread.
  ThreadLease(
      Checkpointer store, AcquiredThread acquired, RunSettings options, CancellationToken token) {
    this(store, acquired.lease(), options, token);
    this.acquired.set(acquired);
  }

  ThreadLease(Checkpointer store, Lease lease, RunSettings options, CancellationToken token) {
    this.store = store;
    this.lease = lease;
    this.time = options.lease();
    this.token = token;
    this.renewer = LeaseRenewer.of(time);
    renewer.add(this);
  }

  SyncWrites writes() {
    return new SyncWrites(store, lease, this);
  }

  /// Returns the stored record of a lineage. The first caller that asks for the thread's own need
  /// not query the store.
  Optional<ThreadRecord> threadRecord(Lineage lineage) {
    var known = acquired.getAndSet(null);
    boolean isOwn = lineage.namespace().isEmpty() && lineage.thread().equals(lease.thread());
    return known != null && isOwn
        ? known.threadRecord()
        : CombinedCalls.of(store).threadRecord(lineage);
  }

  /// Makes the last write of the run, with which the store gives the lease back. After what is
  /// under way of its renewal, and before what comes later of that: it would take the thread again.
  ///
  /// @param write whether it was made, and the lease given back with it
  boolean last(BooleanSupplier write) {
    turn.lock();
    try {
      over = write.getAsBoolean();
      return over;
    } finally {
      turn.unlock();
    }
  }

  /// Gives the lease back if the last write has not, after what is under way of its renewal: a
  /// lease that is given back must not be renewed.
  @Override
  public void close() {
    renewer.remove(this);
    turn.lock();
    try {
      if (over) return;
      over = true;
      store.release(lease);
    } catch (StoreFailed e) {
      // The writes of the run are safe; other runs have to wait until the lease expires.
      EngineLog.warn("A lease could not be given back.", e);
    } finally {
      turn.unlock();
    }
  }

  /// Begins to renew the lease, unless it is still being renewed.
  void beat() {
    if (renewing.compareAndSet(false, true)) LeaseRenewer.renewers().execute(this::renew);
  }

  /// Renews the lease if the run still has it; stops the run if it is lost, or asked to stop.
  public void renew() {
    turn.lock();
    try {
      if (over) return;
      if (store.renew(lease, time)) token.stop();
    } catch (LeaseLost | StoreDamaged | StoreMoved e) {
      renewer.remove(this);
      token.lost(e);
    } catch (StoreFailed e) {
      // The lease lasts for some beats more, and a write of the run will tell if it does not help.
      EngineLog.warn("A lease could not be renewed; it is tried again.", e);
    } finally {
      renewing.set(false);
      turn.unlock();
    }
  }
}
