package dev.superstep.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.Embedder;
import dev.superstep.testkit.EmbedderSuite;
import dev.superstep.testkit.WordEmbedder;
import org.junit.jupiter.api.Test;

/// Our embedder for LangChain4j, and that one here again.
class EmbeddersTest implements EmbedderSuite {
  private final Embedder words = WordEmbedder.words();

  @Override
  public Embedder fresh() {
    return FromLangChain4j.embedder("words", ForLangChain4j.embeddingModel(words));
  }

  @Test
  void both_ways_give_the_vectors_of_the_embedder() {
    assertThat(fresh().embed("green tea")).isEqualTo(words.embed("green tea"));
    var model = ForLangChain4j.embeddingModel(words);
    assertThat(model.embed("green tea").content().vector()).isEqualTo(words.embed("green tea"));
    assertThat(model.dimension()).isEqualTo(words.dimension());
    assertThat(model.modelName()).isEqualTo(words.id());
  }
}
