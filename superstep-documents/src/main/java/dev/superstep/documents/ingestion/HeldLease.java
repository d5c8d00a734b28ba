package dev.superstep.documents.ingestion;

import dev.superstep.checkpoint.StoreFailed;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The lease of an ingestion in progress, renewed by a thread of its own until it is closed. Safe
/// for many threads.
final class HeldLease implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.superstep.documents");
  private static final int RENEWALS = 3;

  private final @Nullable IngestionLease lease;
  private final ReentrantLock turn = new ReentrantLock();
  private final CountDownLatch over = new CountDownLatch(1);
  private long version;
  private long renewed;
  private boolean isLost;

  private HeldLease(@Nullable IngestionLease lease, long version, long asked) {
    this.lease = lease;
    this.version = version;
    this.renewed = asked;
  }

  /// A lease that was just acquired.
  ///
  /// @param asked the time of the attempt by [System#nanoTime], from which the lease lasts
  static HeldLease of(IngestionLease lease, long version, long asked) {
    var held = new HeldLease(lease, version, asked);
    Thread.ofVirtual().name("superstep-ingestion-lease").start(() -> held.renewUntilOver(lease));
    return held;
  }

  /// Nothing to hold, for an ingestion without a lease.
  static HeldLease acquire(Optional<IngestionLease> lease) throws InterruptedException {
    return lease.isEmpty() ? new HeldLease(null, 0, 0) : lease.get().acquire();
  }

  /// @throws IngestionLeaseLost if another ingestion may have the lease
  void check() {
    if (lease == null) return;
    turn.lock();
    try {
      var age = Duration.ofNanos(System.nanoTime() - renewed);
      if (isLost || age.compareTo(lease.time()) >= 0) throw new IngestionLeaseLost(lease.name());
    } finally {
      turn.unlock();
    }
  }

  private void renewUntilOver(IngestionLease held) {
    long pause = held.time().dividedBy(RENEWALS).toMillis();
    try {
      while (!over.await(pause, TimeUnit.MILLISECONDS)) renew(held);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew(IngestionLease held) {
    turn.lock();
    try {
      if (isLost || over.getCount() == 0) return;
      long asked = System.nanoTime();
      var item = held.renew(version);
      isLost = item.isEmpty();
      item.ifPresent(now -> {
        version = now.version();
        renewed = asked;
      });
    } catch (StoreFailed e) {
      LOG.log(System.Logger.Level.WARNING, "A lease could not be renewed; it is tried again.", e);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      over.countDown();
      if (lease != null && !isLost) lease.release(version);
    } catch (StoreFailed e) {
      // The index is right; others have to wait until the lease expires.
      LOG.log(System.Logger.Level.WARNING, "A lease could not be given back.", e);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public String toString() {
    return "HeldLease[" + lease + "]";
  }
}
