package dev.superstep.model.vendor;

import dev.superstep.model.wire.Endpoint;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The form in which a vendor is asked for vectors.
enum EmbeddingProtocol {
  OPENAI,
  OLLAMA,
  GEMINI;

  private static final JsonMapper JSON = JsonMapper.shared();

  String url(Endpoint endpoint) {
    return endpoint.base()
        + switch (this) {
          case OPENAI -> "/embeddings";
          case OLLAMA -> "/api/embed";
          case GEMINI -> "/models/" + endpoint.model() + ":batchEmbedContents";
        };
  }

  ObjectNode write(Endpoint endpoint, List<String> texts, boolean areQuestions) {
    var body = JSON.createObjectNode();
    switch (this) {
      case OPENAI, OLLAMA -> {
        body.put("model", endpoint.model());
        texts.forEach(body.putArray("input")::add);
      }
      case GEMINI -> {
        var requests = body.putArray("requests");
        for (var text : texts) {
          var request = requests.addObject().put("model", "models/" + endpoint.model());
          request.put("taskType", areQuestions ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT");
          request.putObject("content").putArray("parts").addObject().put("text", text);
        }
      }
    }
    return body;
  }

  /// The vectors of a reply, in the order of the texts.
  List<float[]> read(JsonNode reply) {
    var vectors = new ArrayList<float[]>();
    switch (this) {
      case OPENAI -> {
        // In the order of `index`, which is that of the texts.
        var all = new ArrayList<JsonNode>();
        reply.path("data").forEach(all::add);
        all.sort((a, b) -> Integer.compare(a.path("index").asInt(0), b.path("index").asInt(0)));
        for (var one : all) vectors.add(vector(one.path("embedding")));
      }
      case OLLAMA -> reply.path("embeddings").forEach(one -> vectors.add(vector(one)));
      case GEMINI ->
          reply.path("embeddings").forEach(one -> vectors.add(vector(one.path("values"))));
    }
    return vectors;
  }

  private static float[] vector(JsonNode numbers) {
    var vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) vector[i] = numbers.path(i).floatValue();
    return vector;
  }
}
