package dev.superstep.batch;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.store.InvalidItem;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The requests, batches and results of a model in a store. Each change is safe against others who
/// make one at the same time. Safe for many threads.
final class BatchQueue {
  private static final Codec<BatchResult> RESULT = Codec.of(BatchResult.class);
  private static final int PAGE = 500;
  private static final int PAGES_MAX = 20;

  private final Store store;
  private final Namespace waiting;
  private final Namespace batches;
  private final Namespace results;
  private final Duration kept;

  /// A request that waits.
  ///
  /// @param batch the key of the batch that has it; empty if none has
  /// @param queued when it was queued
  record Entry(BatchWait asked, Json body, String batch, Instant queued) {
    Entry in(String other) {
      return new Entry(asked, body, other, queued);
    }
  }

  /// An item with the version that it had when it was read.
  record Versioned<T>(T value, long version) {}

  BatchQueue(Store store, String name, Duration kept) {
    var all = Namespace.of("model-batches", name);
    this.store = store;
    this.waiting = all.child("waiting");
    this.batches = all.child("batches");
    this.results = all.child("results");
    this.kept = kept;
  }

  void add(BatchWait asked, Json body, Instant now) {
    var entry = new Entry(asked, body, "", now);
    var _ = store.putIfAbsent(Put.of(waiting, asked.id(), entry));
  }

  boolean isWaiting(String id) {
    return store.get(waiting, id).isPresent();
  }

  List<Versioned<Entry>> waiting() {
    return all(waiting, Entry.class);
  }

  Optional<Versioned<Entry>> entry(String id) {
    return store.get(waiting, id).map(item -> versioned(item, Entry.class));
  }

  /// Gives a request to a batch, if it is as it was read.
  boolean assign(Versioned<Entry> entry, String batch) {
    var id = entry.value().asked().id();
    var put = Put.of(waiting, id, entry.value().in(batch));
    return store.putIfVersion(put, entry.version()).isPresent();
  }

  void remove(String id) {
    var _ = store.delete(waiting, id);
  }

  List<Versioned<BatchRecord>> batches() {
    return all(batches, BatchRecord.class);
  }

  Optional<Versioned<BatchRecord>> add(BatchRecord batch) {
    return store
        .putIfAbsent(Put.of(batches, batch.key(), batch))
        .map(item -> versioned(item, BatchRecord.class));
  }

  /// Changes a batch, if it is as it was read.
  Optional<Versioned<BatchRecord>> change(Versioned<BatchRecord> from, BatchRecord to) {
    return store
        .putIfVersion(Put.of(batches, to.key(), to), from.version())
        .map(item -> versioned(item, BatchRecord.class));
  }

  void removeBatch(String key) {
    var _ = store.delete(batches, key);
  }

  Optional<BatchResult> result(String id) {
    return store.get(results, id).map(item -> item.as(RESULT));
  }

  void addResult(String id, BatchResult result) {
    try {
      var _ = store.putIfAbsent(Put.of(results, id, result, RESULT).ttl(kept));
    } catch (InvalidItem _) {
      var failed = new BatchResult.Failed("TOO_LARGE", "the reply is larger than the store takes");
      var _ = store.putIfAbsent(Put.of(results, id, (BatchResult) failed, RESULT).ttl(kept));
    }
  }

  private <T> List<Versioned<T>> all(Namespace in, Class<T> type) {
    var all = new ArrayList<Versioned<T>>();
    for (int page = 0; page < PAGES_MAX; page++) {
      var hits = store.search(Search.in(in).limit(PAGE).offset(page * PAGE));
      for (var hit : hits) all.add(versioned(hit.item(), type));
      if (hits.size() < PAGE) break;
    }
    return all;
  }

  private static <T> Versioned<T> versioned(Item item, Class<T> type) {
    return new Versioned<>(item.as(type), item.version());
  }
}
