package dev.superstep.retrieval.lucene;

import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.store.Embedder;
import dev.superstep.testkit.VectorIndexSuite;

final class InMemoryLuceneTest implements VectorIndexSuite {
  @Override
  public VectorIndex fresh(Embedder embedder, RetrievalListener listener) {
    return VectorIndex.over(LuceneVectors.inMemory(), embedder, listener);
  }
}
