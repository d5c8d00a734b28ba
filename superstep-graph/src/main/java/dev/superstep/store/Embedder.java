package dev.superstep.store;

import java.util.List;

/// Turns texts into vectors, such that texts of similar meaning get vectors of similar direction.
/// Safe for many threads.
///
/// `MiniLmEmbedder` in the module superstep-embeddings runs in this process; one over a service is
/// a few lines.
public interface Embedder {
  /// The vectors of some texts, in their order, each of [#dimension] finite numbers and not all
  /// zero. The same text always gives the same vector.
  List<float[]> embedAll(List<String> texts);

  /// The vector of one text.
  default float[] embed(String text) {
    return embedAll(List.of(text)).getFirst();
  }

  /// The vector of a question, near to those of the texts that answer it. For models that embed
  /// questions in another way than texts; the others need not say anything.
  default float[] embedQuery(String question) {
    return embed(question);
  }

  /// The largest number of texts that [#embedAll] should be given at once.
  default int batchSize() {
    return 64;
  }

  /// The number of components of a vector.
  int dimension();

  /// Names the model and how it is used. Vectors of different ids are never compared.
  String id();
}
