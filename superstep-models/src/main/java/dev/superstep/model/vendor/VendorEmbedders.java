package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoints;
import dev.superstep.store.Embedder;

/// Opens embedders that answer over HTTP. URLs, keys and base URLs are those of [VendorModels]:
///
/// | URL | asked by |
/// |---|---|
/// | `openai://text-embedding-3-small`, `mistral://mistral-embed` | `/embeddings` |
/// | `openai-compatible://http://host:port/v1/M` | `/embeddings` |
/// | `ollama://host:port/M` | `/api/embed` |
/// | `gemini://gemini-embedding-001` | `:batchEmbedContents` |
///
/// A call that fails throws a [ModelException]; nothing is retried here. Gemini is told whether it
/// embeds a text or a question. A text without words is sent as `(nothing)`, since vendors refuse
/// empty ones.
public final class VendorEmbedders {
  private VendorEmbedders() {}

  /// Opens an embedder with the keys of this process. Sends nothing; the dimension is learned from
  /// the first vector, or by a call when it is asked for.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static Embedder open(ModelRef ref) {
    return open(ref, Environment.ofProcess());
  }

  /// Opens an embedder with the keys and base URLs of an environment.
  ///
  /// @throws ModelException of kind BAD_URL, or of kind AUTH if the vendor's key is not set
  public static Embedder open(ModelRef ref, Environment environment) {
    var endpoint = Endpoints.of(ref, environment);
    return switch (ref.provider()) {
      case "openai", "openai-compatible", "mistral" ->
          new HttpEmbedder(endpoint, EmbeddingProtocol.OPENAI);
      case "ollama" -> new HttpEmbedder(endpoint, EmbeddingProtocol.OLLAMA);
      case "gemini" -> new HttpEmbedder(endpoint, EmbeddingProtocol.GEMINI);
      default ->
          throw new ModelException(
              ModelException.Kind.BAD_URL,
              "`%s` has no embedders. Write one of: openai, openai-compatible, mistral, ollama, gemini."
                  .formatted(ref.url()));
    };
  }
}
