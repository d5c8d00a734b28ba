package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.IdleThread;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The hold of one run on its thread in one store. The lease is renewed until it is closed.
///
/// A thread that was read while nobody held it is acquired by the first write. Until then there is
/// no lease, and only the thread of the run's session uses this.
public final class ThreadLease implements AutoCloseable {
  private final Checkpointer store;
  private final String owner;
  private final Duration time;
  private final CancellationToken token;
  private final LeaseRenewer renewer;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final ReentrantLock turn = new ReentrantLock();
  // Valid until the first use; nobody else can change the thread before.
  private final AtomicReference<@Nullable Known> known = new AtomicReference<>();
  // Null once it is acquired.
  private volatile @Nullable IdleThread idle;
  private volatile @Nullable Lease lease;
  private boolean over;

  /// The state of the thread as it was acquired or read.
  private record Known(String thread, Optional<ThreadRecord> threadRecord) {}

  /// A lease that was acquired together with the state of the thread.
  ThreadLease(
      Checkpointer store, AcquiredThread acquired, RunSettings options, CancellationToken token) {
    this(store, acquired.lease(), options, token);
    known.set(new Known(acquired.lease().thread(), acquired.threadRecord()));
  }

  /// A lease that the first write acquires.
  ThreadLease(
      Checkpointer store,
      IdleThread idle,
      String owner,
      RunSettings options,
      CancellationToken token) {
    this(store, owner, options, token);
    this.idle = idle;
    known.set(new Known(idle.thread(), idle.threadRecord()));
  }

  ThreadLease(Checkpointer store, Lease lease, RunSettings options, CancellationToken token) {
    this(store, lease.owner(), options, token);
    begin(lease);
  }

  private ThreadLease(
      Checkpointer store, String owner, RunSettings options, CancellationToken token) {
    this.store = store;
    this.owner = owner;
    this.time = options.lease();
    this.token = token;
    this.renewer = LeaseRenewer.of(time);
  }

  private void begin(Lease acquired) {
    lease = acquired;
    idle = null;
    renewer.add(this);
  }

  SyncWrites writes() {
    return new SyncWrites(store, this);
  }

  /// Returns whether the thread is still to be acquired.
  boolean isPending() {
    return lease == null;
  }

  /// @throws ThreadAdvanced if the thread is still to be acquired
  Lease lease() {
    var held = lease;
    if (held == null) throw new ThreadAdvanced();
    return held;
  }

  /// Acquires the thread with the first write of its run.
  ///
  /// @return true
  /// @throws ThreadAdvanced if somebody else has acquired the thread since it was read, or the
  ///   write is refused
  boolean acquireWith(FirstWrite write) {
    var read = Objects.requireNonNull(idle);
    var given = CombinedCalls.of(store).acquireWith(read, owner, time, write);
    begin(given.orElseThrow(ThreadAdvanced::new));
    return true;
  }

  /// Returns the stored record of a lineage. The first caller that asks for the thread's own need
  /// not query the store.
  Optional<ThreadRecord> threadRecord(Lineage lineage) {
    var first = known.getAndSet(null);
    return first != null && lineage.equals(Lineage.of(first.thread()))
        ? first.threadRecord()
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
      if (over || isPending()) return;
      over = true;
      store.release(lease());
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
      if (store.renew(lease(), time)) token.stop();
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
