package dev.superstep.store;

import dev.superstep.json.SuperstepException;
import dev.superstep.store.StoreEvent.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Publishes what is done to another store, on the thread that does it. A listener that throws is
/// logged and harms nothing. Safe for many threads, if the listener is.
///
/// ```java
/// var store = ObservedStore.of(SqliteStore.open(file), event -> log.print(event.name()));
/// ```
public final class ObservedStore implements Store {
  private static final String REDACTED = "[redacted]";
  private static final List<String> SECRETS =
      List.of("secret", "token", "password", "api_key", "apikey", "api-key");

  private final Store store;
  private final Consumer<StoreEvent> listener;

  private ObservedStore(Store store, Consumer<StoreEvent> listener) {
    this.store = store;
    this.listener = listener;
  }

  /// A store of whose operations a listener is told. Closing it closes the other one.
  public static ObservedStore of(Store store, Consumer<StoreEvent> listener) {
    return new ObservedStore(store, listener);
  }

  /// The namespace and the key that an operation is about.
  private record Place(String namespace, String key) {
    static Place of(Namespace namespace, String key) {
      return new Place(shown(namespace.path()), shown(key));
    }

    private static String shown(String name) {
      var lower = name.toLowerCase(Locale.ROOT);
      return SECRETS.stream().anyMatch(lower::contains) ? REDACTED : name;
    }
  }

  @Override
  public Optional<Item> get(Namespace namespace, String key) {
    return told(
        Operation.GET,
        Place.of(namespace, key),
        () -> store.get(namespace, key),
        item -> item.stream().toList());
  }

  /// Told as one operation, whose key is empty if there are several.
  @Override
  public List<Item> putAll(List<Put> puts) {
    var place = puts.size() == 1 ? place(puts.getFirst()) : new Place("", "");
    return told(Operation.PUT, place, () -> store.putAll(puts), Function.identity());
  }

  @Override
  public Optional<Item> putIfAbsent(Put put) {
    return told(
        Operation.PUT, place(put), () -> store.putIfAbsent(put), item -> item.stream().toList());
  }

  @Override
  public Optional<Item> putIfVersion(Put put, long version) {
    return told(
        Operation.PUT,
        place(put),
        () -> store.putIfVersion(put, version),
        item -> item.stream().toList());
  }

  private static Place place(Put put) {
    return Place.of(put.namespace(), put.key());
  }

  @Override
  public boolean delete(Namespace namespace, String key) {
    var place = Place.of(namespace, key);
    return told(Operation.DELETE, place, () -> store.delete(namespace, key), _ -> List.<Item>of());
  }

  @Override
  public List<Hit> search(Search search) {
    return told(
        Operation.SEARCH,
        Place.of(search.within(), ""),
        () -> store.search(search),
        hits -> hits.stream().map(Hit::item).toList());
  }

  /// Not told: it reads no item.
  @Override
  public List<Namespace> namespaces(NamespaceSearch search) {
    return store.namespaces(search);
  }

  /// Not told: nobody sees what it removes.
  @Override
  public int sweep() {
    return store.sweep();
  }

  @Override
  public void close() {
    store.close();
  }

  private <T> T told(
      Operation operation, Place place, Supplier<T> work, Function<T, List<Item>> items) {
    publish(new StoreEvent.Started(operation, place.namespace(), place.key()));
    long start = System.nanoTime();
    try {
      var result = work.get();
      var took = Duration.ofNanos(System.nanoTime() - start);
      var read = items.apply(result);
      publish(
          new StoreEvent.Completed(
              operation, place.namespace(), place.key(), read.size(), bytes(read), took));
      return result;
    } catch (RuntimeException e) {
      var code = e instanceof SuperstepException known ? known.code() : e.getClass().getName();
      publish(new StoreEvent.Failed(operation, place.namespace(), place.key(), code));
      throw e;
    }
  }

  private static long bytes(Collection<Item> items) {
    long bytes = 0;
    for (var item : items) {
      bytes += item.value().text().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  private void publish(StoreEvent event) {
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      System.getLogger(ObservedStore.class.getName())
          .log(System.Logger.Level.WARNING, "A listener of a store failed.", e);
    }
  }

  @Override
  public String toString() {
    return "ObservedStore[" + store + "]";
  }
}
