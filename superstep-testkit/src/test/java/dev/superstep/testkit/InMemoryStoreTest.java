package dev.superstep.testkit;

import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;

final class InMemoryStoreTest implements StoreSuite {
  @Override
  public Store fresh(StoreOptions options) {
    return InMemoryStore.open(options);
  }
}
