package dev.superstep.testkit;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.checkpoint.NodeCache;

final class InMemoryNodeCacheTest implements NodeCacheSuite {
  @Override
  public NodeCache fresh() {
    return InMemoryNodeCache.holding(1_000);
  }
}
