package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;
import dev.superstep.store.Embedder;
import dev.superstep.testkit.EmbedderSuite;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Embedders of vendors against a server that speaks their protocols.
class VendorEmbeddersTest {
  private static EmbeddingServer server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddingServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Embedder open(String url) {
    var base = "http://" + server.authority();
    var settings =
        Map.of(
            "OPENAI_API_KEY",
            "sk-secret-4711",
            "SUPERSTEP_OPENAI_BASE_URL",
            base + "/v1",
            "GEMINI_API_KEY",
            "sk-secret-4711",
            "SUPERSTEP_GEMINI_BASE_URL",
            base + "/v1beta");
    return VendorEmbedders.open(ModelRef.parse(url), Environment.of(settings));
  }

  @Nested
  class OpenAi implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return open("openai://text-embedding-3-small");
    }
  }

  @Nested
  class Compatible implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return open("openai-compatible://http://" + server.authority() + "/v1/org/bge-m3");
    }
  }

  @Nested
  class Ollama implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return open("ollama://" + server.authority() + "/nomic-embed-text");
    }
  }

  @Nested
  class Gemini implements EmbedderSuite {
    @Override
    public Embedder fresh() {
      return open("gemini://gemini-embedding-001");
    }
  }

  @Test
  void gemini_is_told_what_is_a_question() {
    var embedder = open("gemini://gemini-embedding-001");
    embedder.embedQuery("Where?");
    assertThat(server.lastBody()).contains("RETRIEVAL_QUERY");
    embedder.embed("Here.");
    assertThat(server.lastBody()).contains("RETRIEVAL_DOCUMENT");
  }

  @Test
  void many_texts_are_sent_in_batches() {
    int before = server.calls();
    var texts = IntStream.range(0, 130).mapToObj(i -> "text " + i).toList();
    assertThat(open("openai://text-embedding-3-small").embedAll(texts)).hasSize(130);
    assertThat(server.calls() - before).isEqualTo(3);
  }

  @Test
  void a_vendor_without_embedders_and_a_server_that_is_gone_are_typed() throws IOException {
    var set = Environment.of(Map.of("ANTHROPIC_API_KEY", "k"));
    var unknown =
        catchThrowableOfType(
            ModelException.class,
            () -> VendorEmbedders.open(ModelRef.parse("anthropic://claude-opus-4-5"), set));
    assertThat(unknown.kind()).isEqualTo(Kind.BAD_URL);
    String gone;
    try (var other = EmbeddingServer.start()) {
      gone = other.authority();
    }
    var embedder = open("ollama://" + gone + "/m");
    var failure = catchThrowableOfType(ModelException.class, () -> embedder.embedAll(List.of("a")));
    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
  }
}
