package dev.superstep.langchain4j;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.superstep.model.ModelRef;
import dev.superstep.store.Embedder;
import java.util.List;

/// An embedder that asks a model of LangChain4j's. As safe for many threads as the model.
record LangChain4jEmbedder(String id, EmbeddingModel model) implements Embedder {
  private static final String NOTHING = "(nothing)";

  @Override
  public List<float[]> embedAll(List<String> texts) {
    if (texts.isEmpty()) return List.of();
    var segments =
        texts.stream().map(text -> TextSegment.from(text.isBlank() ? NOTHING : text)).toList();
    try {
      return model.embedAll(segments).content().stream().map(one -> one.vector()).toList();
    } catch (RuntimeException e) {
      throw ErrorConversions.fromLangChain4j(ModelRef.parse("langchain4j://" + id), e);
    }
  }

  @Override
  public int dimension() {
    return model.dimension();
  }
}
