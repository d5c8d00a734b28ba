package dev.superstep.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps items until the process ends. For tests, and for what need not be remembered for long.
/// Safe for many threads.
public final class InMemoryStore implements Store {
  private final StoreOptions options;
  private final Map<Place, StoredItem> items = new HashMap<>();
  private long version;

  private record Place(Namespace namespace, String key) {}

  /// @param life how long it lives after each read; absent if reading does not matter
  private record StoredItem(Item item, Optional<Duration> life, Optional<Meaning> meaning) {
    boolean isGone(Instant now) {
      return item.expires().isPresent() && !item.expires().get().isAfter(now);
    }
  }

  private InMemoryStore(StoreOptions options) {
    this.options = options;
  }

  /// An empty store.
  public static InMemoryStore open() {
    return open(StoreOptions.defaults());
  }

  /// An empty store with a clock or an embedder of one's own.
  public static InMemoryStore open(StoreOptions options) {
    return new InMemoryStore(options);
  }

  @Override
  public synchronized Optional<Item> get(Namespace namespace, String key) {
    return Optional.ofNullable(find(new Place(namespace, key))).map(kept -> renewed(kept.item()));
  }

  @Override
  public List<Item> putAll(List<Put> puts) {
    if (puts.size() > BATCH_MAX) {
      throw new IllegalArgumentException(
          "at most " + BATCH_MAX + " items are put at once, not " + puts.size());
    }
    // Before the lock, because a model may take long.
    var meanings = Meaning.of(puts, options);
    var result = new ArrayList<Item>();
    synchronized (this) {
      for (int i = 0; i < puts.size(); i++) result.add(put(puts.get(i), meanings.get(i)));
      return List.copyOf(result);
    }
  }

  @Override
  public Optional<Item> putIfAbsent(Put put) {
    return putIf(put, 0);
  }

  @Override
  public Optional<Item> putIfVersion(Put put, long version) {
    return putIf(put, version);
  }

  /// @param expected 0 if there must be none
  private Optional<Item> putIf(Put put, long expected) {
    var meaning = Meaning.of(List.of(put), options).getFirst();
    synchronized (this) {
      var old = find(new Place(put.namespace(), put.key()));
      long found = old == null ? 0 : old.item().version();
      return found == expected ? Optional.of(put(put, meaning)) : Optional.empty();
    }
  }

  @Override
  public synchronized boolean delete(Namespace namespace, String key) {
    var place = new Place(namespace, key);
    boolean there = find(place) != null;
    items.remove(place);
    return there;
  }

  @Override
  public List<Hit> search(Search search) {
    var ranking = new Ranking(search, Meaning.of(search, options));
    synchronized (this) {
      var now = now();
      for (var kept : items.values()) {
        if (kept.isGone(now) || !kept.item().namespace().isIn(search.within())) continue;
        ranking.offer(kept.item(), kept.meaning());
      }
      return ranking.hits().stream().map(hit -> new Hit(renewed(hit.item()), hit.score())).toList();
    }
  }

  @Override
  public List<Namespace> namespaces(NamespaceSearch search) {
    var filled = new HashSet<Namespace>();
    synchronized (this) {
      var now = now();
      for (var kept : items.values()) {
        if (!kept.isGone(now)) filled.add(kept.item().namespace());
      }
    }
    return search.of(filled);
  }

  @Override
  public synchronized int sweep() {
    int before = items.size();
    var now = now();
    items.values().removeIf(kept -> kept.isGone(now));
    return before - items.size();
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  private Item put(Put put, Optional<Meaning> meaning) {
    var place = new Place(put.namespace(), put.key());
    var old = find(place);
    var now = now();
    var item =
        new Item(
            put.namespace(),
            put.key(),
            put.value(),
            ++version,
            old == null ? now : old.item().created(),
            now,
            put.ttl().map(now::plus).map(InMemoryStore::truncated));
    var life = put.isRenewedByReads() ? put.ttl() : Optional.<Duration>empty();
    items.put(place, new StoredItem(item, life, meaning));
    return item;
  }

  private @Nullable StoredItem find(Place place) {
    var kept = items.get(place);
    return kept == null || kept.isGone(now()) ? null : kept;
  }

  private Item renewed(Item item) {
    var place = new Place(item.namespace(), item.key());
    var kept = items.get(place);
    if (kept == null || kept.life().isEmpty()) return item;
    var until = truncated(now().plus(kept.life().get()));
    var renewed =
        new Item(
            item.namespace(),
            item.key(),
            item.value(),
            item.version(),
            item.created(),
            item.updated(),
            Optional.of(until));
    items.put(place, new StoredItem(renewed, kept.life(), kept.meaning()));
    return renewed;
  }

  private Instant now() {
    return truncated(options.clock().instant());
  }

  /// As a database keeps it.
  private static Instant truncated(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public String toString() {
    return "InMemoryStore[" + options + "]";
  }
}
