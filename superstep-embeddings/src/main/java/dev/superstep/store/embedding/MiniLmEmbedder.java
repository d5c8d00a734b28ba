package dev.superstep.store.embedding;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.List;

/// Tells the meaning of English texts by the model all-MiniLM-L6-v2, quantized, which comes with
/// this module and runs in this process: no service, no key, no download. Texts of a sentence to a
/// paragraph suit it. Needs some 300 MB of memory outside the heap from its first opening on. Safe
/// for many threads.
public final class MiniLmEmbedder implements Embedder {
  private static final int DIMENSION = 384;
  // Bounds the memory that one call takes.
  private static final int BATCH_MAX = 64;

  private final EmbeddingModel model;

  private MiniLmEmbedder(EmbeddingModel model) {
    this.model = model;
  }

  /// Loads the model, which takes about a second the first time in a process.
  public static MiniLmEmbedder open() {
    return new MiniLmEmbedder(new AllMiniLmL6V2QuantizedEmbeddingModel());
  }

  @Override
  public List<float[]> embedAll(List<String> texts) {
    var vectors = new ArrayList<float[]>(texts.size());
    for (int from = 0; from < texts.size(); from += BATCH_MAX) {
      var batch = texts.subList(from, Math.min(from + BATCH_MAX, texts.size()));
      var segments = batch.stream().map(TextSegment::from).toList();
      for (var embedding : model.embedAll(segments).content()) vectors.add(embedding.vector());
    }
    return vectors;
  }

  @Override
  public int batchSize() {
    return BATCH_MAX;
  }

  @Override
  public int dimension() {
    return DIMENSION;
  }

  @Override
  public String id() {
    return "all-minilm-l6-v2-q";
  }

  @Override
  public String toString() {
    return "MiniLmEmbedder[" + id() + "]";
  }
}
