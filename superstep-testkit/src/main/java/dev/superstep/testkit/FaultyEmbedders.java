package dev.superstep.testkit;

import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Embedders that know little, or do what they should not.
final class FaultyEmbedders {
  private FaultyEmbedders() {}

  /// Knows three topics and no other words.
  static final class Topics implements Embedder {
    @Override
    public List<float[]> embedAll(List<String> texts) {
      return texts.stream().map(Topics::vector).toList();
    }

    @Override
    public int dimension() {
      return 3;
    }

    @Override
    public String id() {
      return "topics";
    }

    private static float[] vector(String text) {
      var words = text.toLowerCase(Locale.ROOT);
      return new float[] {
        words.contains("cat") || words.contains("dog") ? 1 : 0,
        words.contains("money") ? 1 : 0,
        0.01f
      };
    }
  }

  /// Must not be asked.
  static final class Unasked implements Embedder {
    @Override
    public List<float[]> embedAll(List<String> texts) {
      throw new AssertionError("the embedder was asked for " + texts);
    }

    @Override
    public int dimension() {
      return 3;
    }

    @Override
    public String id() {
      return "unasked";
    }
  }

  /// Gives for some texts what is no vector of its dimension, and for the text `none` nothing.
  static final class Broken implements Embedder {
    @Override
    public List<float[]> embedAll(List<String> texts) {
      return texts.stream()
          .filter(text -> !text.equals("none"))
          .map(text ->
              switch (text) {
                case "short" -> new float[] {1};
                case "zero" -> new float[] {0, 0};
                case "nan" -> new float[] {1, Float.NaN};
                default -> new float[] {1, 1};
              })
          .toList();
    }

    @Override
    public int dimension() {
      return 2;
    }

    @Override
    public String id() {
      return "broken";
    }
  }

  /// Wants three texts at once, and remembers what it was asked. One thread at a time.
  static final class Asking implements Embedder {
    final List<Integer> batches = new ArrayList<>();
    final List<String> questions = new ArrayList<>();
    private final Embedder words = WordEmbedder.words();

    @Override
    public List<float[]> embedAll(List<String> texts) {
      batches.add(texts.size());
      return words.embedAll(texts);
    }

    @Override
    public float[] embedQuery(String question) {
      questions.add(question);
      return words.embed(question);
    }

    @Override
    public int batchSize() {
      return 3;
    }

    @Override
    public int dimension() {
      return words.dimension();
    }

    @Override
    public String id() {
      return "asking";
    }
  }

  /// Another embedder under this id.
  record Named(String id, Embedder real) implements Embedder {
    @Override
    public List<float[]> embedAll(List<String> texts) {
      return real.embedAll(texts);
    }

    @Override
    public int dimension() {
      return real.dimension();
    }
  }
}
