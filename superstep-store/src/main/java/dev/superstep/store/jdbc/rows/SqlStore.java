package dev.superstep.store.jdbc.rows;

import dev.superstep.store.Hit;
import dev.superstep.store.Item;
import dev.superstep.store.Meaning;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.Put;
import dev.superstep.store.Ranking;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.store.jdbc.rows.ItemRows.Writing;
import dev.superstep.store.jdbc.sql.Transactions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A store in an SQL database. Filters and distances are computed here, by the same code as in
/// memory, so that every store finds the same: docs/decisions/0028. Safe for many threads.
public final class SqlStore implements Store {
  private final Transactions database;
  private final StoreOptions options;
  private final InstantSource clock;

  /// @param clock for the times at which items are made and expire
  public SqlStore(Transactions database, StoreOptions options, InstantSource clock) {
    this.database = database;
    this.options = options;
    this.clock = clock;
  }

  @Override
  public Optional<Item> get(Namespace namespace, String key) {
    settleClock();
    var now = now();
    // What cannot be put is not there either; a database may not even take it as an argument.
    if (key.indexOf('\0') >= 0) return Optional.empty();
    var found = database.read(sql -> ItemRows.find(sql, namespace, key, now));
    return found.map(item -> renewed(List.of(item), now).getFirst());
  }

  @Override
  public List<Item> putAll(List<Put> puts) {
    if (puts.size() > BATCH_MAX) {
      throw new IllegalArgumentException(
          "at most " + BATCH_MAX + " items are put at once, not " + puts.size());
    }
    // Before the transaction, because a model may take long.
    var meanings = Meaning.of(puts, options);
    settleClock();
    return database.write(sql -> {
      if (puts.size() > 1) ItemRows.lockForMany(sql);
      var now = now();
      var items = new ArrayList<Item>();
      for (int i = 0; i < puts.size(); i++) {
        items.add(ItemRows.put(sql, new Writing(puts.get(i), meanings.get(i), now)));
      }
      return List.copyOf(items);
    });
  }

  @Override
  public Optional<Item> putIfAbsent(Put put) {
    var meaning = Meaning.of(List.of(put), options).getFirst();
    settleClock();
    return database.write(sql -> ItemRows.putIfAbsent(sql, new Writing(put, meaning, now())));
  }

  @Override
  public Optional<Item> putIfVersion(Put put, long version) {
    var meaning = Meaning.of(List.of(put), options).getFirst();
    settleClock();
    return database.write(
        sql -> ItemRows.putIfVersion(sql, new Writing(put, meaning, now()), version));
  }

  @Override
  public boolean delete(Namespace namespace, String key) {
    if (key.indexOf('\0') >= 0) return false;
    settleClock();
    return database.write(sql -> ItemRows.delete(sql, namespace, key, now()));
  }

  @Override
  public List<Hit> search(Search search) {
    var sought = Meaning.of(search, options);
    settleClock();
    var now = now();
    var hits =
        database.read(sql -> {
          // Of its own for each attempt, since a read may be run again.
          var ranking = new Ranking(search, sought);
          ItemRows.rank(sql, search.within(), now, ranking);
          return ranking.hits();
        });
    var items = renewed(hits.stream().map(Hit::item).toList(), now);
    var result = new ArrayList<Hit>();
    for (int i = 0; i < hits.size(); i++) {
      result.add(new Hit(items.get(i), hits.get(i).score()));
    }
    return List.copyOf(result);
  }

  @Override
  public List<Namespace> namespaces(NamespaceSearch search) {
    settleClock();
    var now = now();
    return search.of(database.read(sql -> ItemRows.namespaces(sql, search.within(), now)));
  }

  @Override
  public int sweep() {
    settleClock();
    return database.write(sql -> ItemRows.sweep(sql, now()));
  }

  @Override
  public void close() {
    database.close();
  }

  private List<Item> renewed(List<Item> items, Instant now) {
    if (items.stream().allMatch(item -> item.expires().isEmpty())) return items;
    return database.write(sql -> {
      if (items.size() > 1) ItemRows.lockForMany(sql);
      var renewed = new ArrayList<Item>();
      for (var item : items) renewed.add(ItemRows.renewed(sql, item, now));
      return renewed;
    });
  }

  /// Asks the server for its time if that was long ago; before a transaction, which would need
  /// another connection for it.
  private void settleClock() {
    if (clock instanceof ServerClock ofServer) ofServer.settle();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public String toString() {
    return "SqlStore[" + database + "]";
  }
}
