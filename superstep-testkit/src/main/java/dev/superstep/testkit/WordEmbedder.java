package dev.superstep.testkit;

import dev.superstep.store.Embedder;
import java.util.List;
import java.util.Locale;

/// An embedder for tests that knows words and no meanings: texts are near if they share words. The
/// same text always gives the same vector, everywhere. Safe for many threads.
public final class WordEmbedder implements Embedder {
  private static final int DIMENSION = 64;

  private final String id;

  private WordEmbedder(String id) {
    this.id = id;
  }

  /// The usual one.
  public static WordEmbedder words() {
    return named("words");
  }

  /// Creates an embedder with another id, whose vectors cannot be compared with those of others.
  public static WordEmbedder named(String id) {
    return new WordEmbedder(id);
  }

  @Override
  public List<float[]> embedAll(List<String> texts) {
    return texts.stream().map(WordEmbedder::vector).toList();
  }

  @Override
  public int dimension() {
    return DIMENSION;
  }

  @Override
  public String id() {
    return id;
  }

  private static float[] vector(String text) {
    var vector = new float[DIMENSION];
    for (var word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1)) {
      if (!word.isEmpty()) vector[Math.floorMod(word.hashCode() * 31, DIMENSION - 1) + 1] += 1;
    }
    // So that a text without words has a direction, too.
    vector[0] = 0.01f;
    return vector;
  }
}
