package dev.superstep.example.migration.langchain4j;

import java.util.Locale;

/// Counts letters, as both embedders do.
public final class Letters {
  /// The dimension of the vectors.
  public static final int COUNT = 26;

  private Letters() {}

  /// Counts each letter of a text.
  public static float[] vector(String text) {
    var vector = new float[COUNT];
    for (var c : text.toLowerCase(Locale.ROOT).toCharArray()) {
      if (c >= 'a' && c <= 'z') vector[c - 'a']++;
    }
    return vector;
  }
}
