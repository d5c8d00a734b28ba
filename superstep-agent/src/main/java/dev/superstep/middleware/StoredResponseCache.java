package dev.superstep.middleware;

import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Store;
import java.util.Optional;

/// Keeps replies in a [Store], so that other processes have them, too. The store frees the space of
/// those that are out of date when it is swept. Safe for many threads.
public final class StoredResponseCache implements ResponseCache {
  private final Store store;
  private final Namespace namespace;

  private StoredResponseCache(Store store, Namespace namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /// Keeps them in this namespace, which should hold nothing else.
  public static StoredResponseCache in(Store store, Namespace namespace) {
    return new StoredResponseCache(store, namespace);
  }

  @Override
  public Optional<Entry> get(Key key) {
    return store.get(namespace, name(key), Entry.CODEC);
  }

  @Override
  public void put(Key key, Entry entry) {
    var put = Put.of(namespace, name(key), entry, Entry.CODEC).notEmbedded();
    store.put(entry.life().map(put::ttl).orElse(put));
  }

  /// Hashed with their lengths, because a space and a URL may be of any form and length.
  private static String name(Key key) {
    var space = key.space();
    var model = key.model() + " " + key.identity();
    return Hashes.sha256(space.length() + " " + space + " " + model + " " + key.request());
  }

  @Override
  public String toString() {
    return "StoredResponseCache[" + store + ", " + namespace + "]";
  }
}
