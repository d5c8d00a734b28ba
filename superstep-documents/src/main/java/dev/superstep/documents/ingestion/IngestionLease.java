package dev.superstep.documents.ingestion;

import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The right to change an index, for one ingestion at a time in all processes that share a store.
/// It is an item of the store that expires, and is renewed while an ingestion runs. So the lease of
/// a killed process ends by itself. Immutable; the other methods return changed copies.
///
/// ```java
/// var ingestion =
///     Ingestion.into(index, loader, splitter, IndexRecords.in(store, library))
///         .withLease(IngestionLease.in(store, library).waitingUpTo(Duration.ofMinutes(5)));
/// ```
///
/// A second ingestion waits, or fails with [IngestionBusy]. A process that was suspended for longer
/// than its lease lasts, such as with its machine, fails with [IngestionLeaseLost] before it writes
/// the next documents.
public final class IngestionLease {
  static final Namespace LEASES = Namespace.of("ingestion-leases");
  private static final Duration TIME = Duration.ofSeconds(30);
  private static final Duration TIME_MIN = Duration.ofMillis(100);
  private static final Duration POLL_MAX = Duration.ofMillis(500);
  private static final int POLLS_PER_LEASE = 10;

  private final Store store;
  private final Namespace records;
  private final Settings settings;

  private record Settings(Duration time, Duration patience, String owner) {}

  /// The stored form.
  ///
  /// @param until when it ends unless it is renewed; for people, since the store knows better
  /// @param released whether anybody may take it before that
  record Holder(String owner, Instant until, boolean released) {}

  private IngestionLease(Store store, Namespace records, Settings settings) {
    this.store = store;
    this.records = records;
    this.settings = settings;
  }

  /// The lease of an index. It lasts 30 seconds unless it is renewed, and nobody waits for it.
  ///
  /// @param store the same for all processes, and with one clock: that of a database server, or of
  ///   the only machine
  /// @param records the namespace of the index's records, by which the lease is named
  /// @throws IllegalArgumentException if the namespace is the root
  public static IngestionLease in(Store store, Namespace records) {
    if (records.labels().isEmpty()) {
      throw new IllegalArgumentException("records must have at least one label");
    }
    var owner = "process " + ProcessHandle.current().pid();
    return new IngestionLease(store, records, new Settings(TIME, Duration.ZERO, owner));
  }

  /// Sets how long the lease of a dead process keeps others waiting; it is renewed three times in
  /// that time.
  ///
  /// @throws IllegalArgumentException if the time is less than 100 milliseconds
  public IngestionLease lasting(Duration time) {
    if (time.compareTo(TIME_MIN) < 0) {
      throw new IllegalArgumentException("time must be 100 ms or more, was " + time);
    }
    return with(new Settings(time, settings.patience(), settings.owner()));
  }

  /// Sets how long a call waits for another ingestion before it fails; no time unless set.
  public IngestionLease waitingUpTo(Duration wait) {
    if (wait.isNegative()) throw new IllegalArgumentException("wait must be 0 or more: " + wait);
    return with(new Settings(settings.time(), wait, settings.owner()));
  }

  /// Names this process to others, such as in [IngestionBusy]; unless set, by its process id.
  public IngestionLease ownedBy(String owner) {
    if (owner.isBlank()) throw new IllegalArgumentException("owner must not be blank");
    return with(new Settings(settings.time(), settings.patience(), owner));
  }

  private IngestionLease with(Settings other) {
    return new IngestionLease(store, records, other);
  }

  /// Acquires the lease and renews it until it is closed.
  ///
  /// @throws IngestionBusy if another ingestion has it for longer than the wait
  HeldLease acquire() throws InterruptedException {
    long began = System.nanoTime();
    while (true) {
      long asked = System.nanoTime();
      var item = take();
      if (item.isPresent()) return HeldLease.of(this, item.get().version(), asked);
      var left = settings.patience().minusNanos(System.nanoTime() - began);
      if (!left.isPositive()) throw busy();
      Thread.sleep(shorter(left, shorter(POLL_MAX, settings.time().dividedBy(POLLS_PER_LEASE))));
    }
  }

  private Optional<Item> take() {
    var taken = store.putIfAbsent(put());
    if (taken.isPresent()) return taken;
    return store
        .get(LEASES, key())
        .filter(item -> item.as(Holder.class).released())
        .flatMap(item -> store.putIfVersion(put(), item.version()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private IngestionBusy busy() {
    var holder = store.get(LEASES, key(), Holder.class);
    return new IngestionBusy(
        records.toString(),
        holder.map(Holder::owner).orElse("another process"),
        holder.map(Holder::until).orElseGet(Instant::now),
        settings.patience());
  }

  /// Renews the lease.
  ///
  /// @param version as it was last put
  /// @return empty if it has expired, whoever has it now
  Optional<Item> renew(long version) {
    return store.putIfVersion(put(), version);
  }

  /// Gives the lease back, unless it has expired.
  void release(long version) {
    // Not deleted: by then it might be that of another process.
    var _ = store.putIfVersion(put(true), version);
  }

  private Put put() {
    return put(false);
  }

  private Put put(boolean released) {
    var holder = new Holder(settings.owner(), Instant.now().plus(settings.time()), released);
    return Put.of(LEASES, key(), holder).notEmbedded().ttl(settings.time());
  }

  private String key() {
    return records.path();
  }

  Duration time() {
    return settings.time();
  }

  String name() {
    return records.toString();
  }

  @Override
  public String toString() {
    return "IngestionLease[" + records + ", " + settings.time() + "]";
  }
}
