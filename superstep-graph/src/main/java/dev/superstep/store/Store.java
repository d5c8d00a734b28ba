package dev.superstep.store;

import dev.superstep.json.Codec;
import java.util.List;
import java.util.Optional;

/// Stores data that outlives one thread: preferences, facts, notes. Items have a key in a namespace
/// and a JSON value, and are found by filters and, if the store has an [Embedder], by meaning. Safe
/// for many threads.
///
/// ```java
/// var notes = Namespace.of("users", "ann", "notes");
/// store.put(notes, "tea", new Note("likes green tea"));
/// var found = store.search(Search.in(notes).query("what does she drink?").limit(3));
/// ```
///
/// A write is durable when its method returns; a method that throws has written nothing, unless its
/// error says otherwise. A store is no part of a superstep: a node's put is visible at once, for
/// others too, and is repeated if the node runs again, so choose keys that stay the same, or put in
/// a [dev.superstep.node.NodeContext#step].
///
/// Implementations must pass `StoreSuite` of the test kit, and throw
/// [dev.superstep.checkpoint.StoreFailed] when their storage fails.
public interface Store extends AutoCloseable {
  /// The largest number of items in one batch of puts.
  int BATCH_MAX = 1_000;

  /// Returns the item under this key, unless it has expired. Restarts its time to live, if it was
  /// put so.
  Optional<Item> get(Namespace namespace, String key);

  /// The value under this key.
  ///
  /// @throws dev.superstep.json.MalformedJson if the value does not have the shape of the type
  default <T> Optional<T> get(Namespace namespace, String key, Class<T> type) {
    return get(namespace, key).map(item -> item.as(type));
  }

  /// The value under this key, by a codec.
  ///
  /// @throws dev.superstep.json.MalformedJson if the value does not have the shape of the codec
  default <T> Optional<T> get(Namespace namespace, String key, Codec<T> codec) {
    return get(namespace, key).map(item -> item.as(codec));
  }

  /// Keeps a value of a closed type in place of the one that was there.
  ///
  /// @throws InvalidItem if the key or the value cannot be stored
  default Item put(Namespace namespace, String key, Object value) {
    return put(Put.of(namespace, key, value));
  }

  /// Keeps a value in place of the one that was there.
  default Item put(Put put) {
    return putAll(List.of(put)).getFirst();
  }

  /// Keeps all of these or, if it fails, none. Of two with the same key the later one stays.
  ///
  /// @return the items, in the order of the puts
  /// @throws IllegalArgumentException if there are more than [#BATCH_MAX]
  List<Item> putAll(List<Put> puts);

  /// Keeps a value if nothing is under its key.
  ///
  /// @return the item, or empty if there is one already
  Optional<Item> putIfAbsent(Put put);

  /// Keeps a value in place of one version of the item, so that of several who read it and change
  /// it, none overwrites what it has not seen.
  ///
  /// @return the item, or empty if the item is gone or has another version: read it again
  Optional<Item> putIfVersion(Put put, long version);

  /// Forgets the item under this key.
  ///
  /// @return whether there was one that had not expired
  boolean delete(Namespace namespace, String key);

  /// Returns the items that a search finds. Looks at every item of the namespace. Restarts the time
  /// to live of the found items, if they were put so.
  ///
  /// @throws NoEmbedder if it has a query and the store no embedder
  /// @throws EmbedderMismatch if it has a query and meets items of another embedder
  List<Hit> search(Search search);

  /// The namespaces that have items, in order.
  List<Namespace> namespaces(NamespaceSearch search);

  /// Removes expired items. Nobody sees them before that, either; this only frees the space.
  ///
  /// @return how many items it removed
  int sweep();

  @Override
  void close();
}
