package dev.superstep.retrieval;

import dev.superstep.retrieval.internal.VectorCheck;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.InvalidEmbedding;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Asks an embedder, in batches of the size that it wants, and checks what it gives. Safe for many
/// threads.
record Embeddings(Embedder embedder, RetrievalEvents events) {
  VectorSpace space() {
    return new VectorSpace(embedder.id(), embedder.dimension());
  }

  /// The vectors of some texts, in their order.
  ///
  /// @throws InvalidEmbedding if the embedder gives something else
  List<Embedding> ofTexts(List<String> texts) {
    int size = Math.max(1, embedder.batchSize());
    int batches = Math.ceilDiv(texts.size(), size);
    return timed(
        texts.size(),
        batches,
        () -> {
          var all = new ArrayList<Embedding>(texts.size());
          for (int from = 0; from < texts.size(); from += size) {
            var batch = texts.subList(from, Math.min(from + size, texts.size()));
            all.addAll(checked(embedder.embedAll(batch), batch.size()));
          }
          return all;
        });
  }

  /// The vector of a question.
  Embedding ofQuestion(String question) {
    return timed(1, 1, () -> checked(List.of(embedder.embedQuery(question)), 1).getFirst());
  }

  private <T> T timed(int texts, int batches, Supplier<T> work) {
    long began = System.nanoTime();
    events.publish(new RetrievalEvent.EmbeddingStarted(embedder.id(), texts));
    try {
      var done = work.get();
      events.publish(
          new RetrievalEvent.EmbeddingCompleted(
              embedder.id(), texts, batches, RetrievalEvents.since(began)));
      return done;
    } catch (RuntimeException e) {
      events.publish(
          new RetrievalEvent.EmbeddingFailed(embedder.id(), texts, RetrievalEvents.name(e)));
      throw e;
    }
  }

  private List<Embedding> checked(List<float[]> vectors, int texts) {
    if (vectors.size() != texts) {
      throw new InvalidEmbedding(
          embedder.id(), "%d vectors for %d texts".formatted(vectors.size(), texts));
    }
    return vectors.stream().map(this::checked).toList();
  }

  private Embedding checked(float[] vector) {
    if (vector.length != embedder.dimension()) {
      throw new InvalidEmbedding(
          embedder.id(),
          "a vector of %d numbers instead of %d".formatted(vector.length, embedder.dimension()));
    }
    var problem = VectorCheck.problem(vector);
    if (problem != null) throw new InvalidEmbedding(embedder.id(), "a vector " + problem);
    return Embedding.of(vector);
  }
}
