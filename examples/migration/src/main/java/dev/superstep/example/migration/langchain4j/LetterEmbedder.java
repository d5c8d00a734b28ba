package dev.superstep.example.migration.langchain4j;

import dev.superstep.store.Embedder;
import java.util.List;

/// Finds texts near to each other that have the same letters. Immutable.
final class LetterEmbedder implements Embedder {
  @Override
  public List<float[]> embedAll(List<String> texts) {
    return texts.stream().map(Letters::vector).toList();
  }

  @Override
  public int dimension() {
    return Letters.COUNT;
  }

  @Override
  public String id() {
    return "letters";
  }
}
