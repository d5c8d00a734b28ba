package dev.superstep.testkit;

import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.store.Embedder;

final class InMemoryVectorIndexTest implements VectorIndexSuite {
  @Override
  public VectorIndex fresh(Embedder embedder, RetrievalListener listener) {
    return VectorIndex.inMemory(embedder, listener);
  }
}
