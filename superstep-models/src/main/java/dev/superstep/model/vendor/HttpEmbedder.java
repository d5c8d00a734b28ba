package dev.superstep.model.vendor;

import static dev.superstep.model.ModelException.Kind.MALFORMED;
import static dev.superstep.model.ModelException.Kind.TRANSPORT;

import dev.superstep.model.ModelException;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.JsonCall;
import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An embedder that answers over HTTP. Safe for many threads.
final class HttpEmbedder implements Embedder {
  private static final int BATCH_MAX = 64;

  /// The text of a text without words, which vendors refuse.
  private static final String NOTHING = "(nothing)";

  private final Endpoint endpoint;
  private final EmbeddingProtocol protocol;
  private volatile int dimension;

  HttpEmbedder(Endpoint endpoint, EmbeddingProtocol protocol) {
    this.endpoint = endpoint;
    this.protocol = protocol;
  }

  @Override
  public List<float[]> embedAll(List<String> texts) {
    return embedded(texts, false);
  }

  @Override
  public float[] embedQuery(String question) {
    return embedded(List.of(question), true).getFirst();
  }

  private List<float[]> embedded(List<String> texts, boolean areQuestions) {
    var vectors = new ArrayList<float[]>(texts.size());
    for (int from = 0; from < texts.size(); from += BATCH_MAX) {
      var batch = texts.subList(from, Math.min(from + BATCH_MAX, texts.size()));
      vectors.addAll(batch(batch, areQuestions));
    }
    if (!vectors.isEmpty()) dimension = vectors.getFirst().length;
    return vectors;
  }

  private List<float[]> batch(List<String> texts, boolean areQuestions) {
    var sent = texts.stream().map(text -> text.isBlank() ? NOTHING : text).toList();
    var call = new JsonCall(endpoint, "The embedder");
    try {
      var body = protocol.write(endpoint, sent, areQuestions);
      var vectors = protocol.read(call.post(protocol.url(endpoint), headers(), body));
      boolean isWhole = vectors.stream().allMatch(vector -> vector.length > 0);
      if (vectors.size() == texts.size() && isWhole) return vectors;
      throw call.error(
          MALFORMED, "gave %d vectors for %d texts".formatted(vectors.size(), texts.size()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ModelException(TRANSPORT, "The call of the embedder was interrupted.");
    }
  }

  private Map<String, List<String>> headers() {
    var headers = new LinkedHashMap<String, List<String>>();
    headers.put("Content-Type", List.of("application/json"));
    var key = endpoint.key().value();
    if (key == null) return headers;
    switch (protocol) {
      case GEMINI -> headers.put("x-goog-api-key", List.of(key));
      case OPENAI, OLLAMA -> headers.put("Authorization", List.of("Bearer " + key));
    }
    return headers;
  }

  @Override
  public int batchSize() {
    return BATCH_MAX;
  }

  @Override
  public int dimension() {
    if (dimension == 0) embedAll(List.of("dimension"));
    return dimension;
  }

  @Override
  public String id() {
    return endpoint.ref().url();
  }

  @Override
  public String toString() {
    return "HttpEmbedder[" + id() + "]";
  }
}
