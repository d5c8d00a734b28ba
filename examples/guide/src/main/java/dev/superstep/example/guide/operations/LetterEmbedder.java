package dev.superstep.example.guide.operations;

import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.store.Embedder;
import java.util.List;
import java.util.Locale;

/// Finds texts near to each other that have the same letters. Immutable.
public final class LetterEmbedder implements Embedder {
  private static final int LETTERS = 26;

  @Override
  public List<float[]> embedAll(List<String> texts) {
    return texts.stream().map(LetterEmbedder::vector).toList();
  }

  private static float[] vector(String text) {
    var vector = new float[LETTERS + 1];
    for (var c : text.toLowerCase(Locale.ROOT).toCharArray()) {
      if (c >= 'a' && c <= 'z') vector[c - 'a']++;
    }
    // A text without letters has a direction, too.
    vector[LETTERS] = 0.01f;
    return vector;
  }

  @Override
  public int dimension() {
    return LETTERS + 1;
  }

  @Override
  public String id() {
    return "letters-1";
  }

  /// Searches a few words.
  public static void main(String[] arguments) {
    try (var index = VectorIndex.inMemory(new LetterEmbedder())) {
      index.add(List.of(Chunk.of("1", "green tea"), Chunk.of("2", "a long road")));
      System.out.println(index.search(Query.of("teen gear")).getFirst().chunk().text());
    }
  }
}
