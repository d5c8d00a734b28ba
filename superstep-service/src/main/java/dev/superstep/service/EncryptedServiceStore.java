package dev.superstep.service;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.json.Json;

/// Keeps documents and logs in another store, encrypted: what clients sent and what runs answered
/// reaches that store sealed by a key which it does not have. The data by which it finds things
/// stays plain: ids, kinds, parents, labels, statuses, times and metadata of documents, and the
/// names and lengths of logs.
///
/// ```java
/// var ring = KeyRing.of("2026", key);
/// var documents = EncryptedServiceStore.over(PostgresServiceStore.on(pool), ring);
/// ```
///
/// A body is bound to the kind and id of its document, an entry to its log and its place in it.
/// What was moved is refused like what was changed: it is a
/// [dev.superstep.checkpoint.CannotDecrypt]. Keys are changed as those of an
/// [dev.superstep.checkpoint.EncryptedCheckpointer].
///
/// As safe for many threads as the other store.
public final class EncryptedServiceStore implements ServiceStore {
  private final ServiceStore store;
  private final KeyRing ring;

  private EncryptedServiceStore(ServiceStore store, KeyRing ring) {
    this.store = store;
    this.ring = ring;
  }

  /// Encrypts what goes to a store, and decrypts what comes from it.
  ///
  /// @param store holds nothing yet, or only what was encrypted in this way; closed with this
  public static EncryptedServiceStore over(ServiceStore store, KeyRing ring) {
    return new EncryptedServiceStore(store, ring);
  }

  /// Returns whether the body of a document is sealed: it came from a store of this kind, read
  /// without its keys.
  public static boolean isSealed(Json body) {
    return SealedTransaction.isSealed(body);
  }

  @Override
  public <R> R write(Work<R> work) {
    return store.write(in -> work.apply(new SealedTransaction(in, ring)));
  }

  @Override
  public <R> R read(Work<R> work) {
    return store.read(in -> work.apply(new SealedTransaction(in, ring)));
  }

  @Override
  public Watch watch(String topic) {
    return store.watch(topic);
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public String toString() {
    return "EncryptedServiceStore[" + store + ", " + ring + "]";
  }
}
