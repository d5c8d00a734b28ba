package dev.superstep.example.guide.operations;

import dev.superstep.store.Hit;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Tells which items are written to another store. Safe for many threads, if who is told is.
public final class WatchedStore implements Store {
  private final Store store;
  private final Consumer<String> told;

  /// @param told hears the key of each item that was put
  public WatchedStore(Store store, Consumer<String> told) {
    this.store = store;
    this.told = told;
  }

  @Override
  public Optional<Item> get(Namespace namespace, String key) {
    return store.get(namespace, key);
  }

  @Override
  public List<Item> putAll(List<Put> puts) {
    var items = store.putAll(puts);
    for (var put : puts) told.accept(put.key());
    return items;
  }

  @Override
  public Optional<Item> putIfAbsent(Put put) {
    var item = store.putIfAbsent(put);
    item.ifPresent(_ -> told.accept(put.key()));
    return item;
  }

  @Override
  public Optional<Item> putIfVersion(Put put, long version) {
    var item = store.putIfVersion(put, version);
    item.ifPresent(_ -> told.accept(put.key()));
    return item;
  }

  @Override
  public boolean delete(Namespace namespace, String key) {
    return store.delete(namespace, key);
  }

  @Override
  public List<Hit> search(Search search) {
    return store.search(search);
  }

  @Override
  public List<Namespace> namespaces(NamespaceSearch search) {
    return store.namespaces(search);
  }

  @Override
  public int sweep() {
    return store.sweep();
  }

  @Override
  public void close() {
    store.close();
  }

  /// Puts an item.
  public static void main(String[] arguments) {
    var memory = InMemoryStore.open(StoreOptions.defaults());
    try (var store = new WatchedStore(memory, key -> System.out.println("put " + key))) {
      store.put(Namespace.of("users", "ann"), "drink", "green tea");
    }
  }
}
