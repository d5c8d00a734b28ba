package dev.superstep.model.vendor;

import dev.superstep.batch.BatchApi;
import dev.superstep.batch.BatchRefused;
import dev.superstep.batch.BatchResult;
import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// OpenAI's batches of chat completions: a file of requests, and files of results. A batch carries
/// the name that this side gave it. Immutable.
record OpenAiBatches(BatchHttp http) implements BatchApi {
  private static final String KEY = "superstep_batch";
  private static final int PAGE = 100;
  private static final int PAGES_MAX = 20;
  private static final Duration SKEW = Duration.ofMinutes(2);

  @Override
  public ModelRef ref() {
    return http.bodies().endpoint().ref();
  }

  @Override
  public Json body(ChatRequest request) {
    return Json.parse(http.bodies().body(request).toString());
  }

  @Override
  public ChatReply reply(ChatRequest request, Json body) throws InterruptedException {
    return http.bodies().reply(request, body.text());
  }

  @Override
  public String submit(String key, Map<String, Json> bodies) throws InterruptedException {
    var lines = new StringBuilder();
    bodies.forEach((id, body) ->
        lines
            .append("{\"custom_id\":")
            .append(Json.string(id).text())
            .append(",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":")
            .append(body.text())
            .append("}\n"));
    var batch = BatchHttp.JSON.createObjectNode();
    batch.put("input_file_id", upload(key, lines));
    batch.put("endpoint", "/v1/chat/completions");
    batch.put("completion_window", "24h");
    batch.putObject("metadata").put(KEY, key);
    return http.id(http.post("/batches", batch.toString()).path("id"));
  }

  private String upload(String key, CharSequence lines) throws InterruptedException {
    var boundary = "superstep-" + key;
    var parts =
        """
        --%1$s\r
        Content-Disposition: form-data; name="purpose"\r
        \r
        batch\r
        --%1$s\r
        Content-Disposition: form-data; name="file"; filename="%2$s.jsonl"\r
        Content-Type: application/jsonl\r
        \r
        """
            .formatted(boundary, key);
    var end = "\r\n--" + boundary + "--\r\n";
    return http.id(http.postParts("/files", boundary, parts + lines + end).path("id"));
  }

  @Override
  public Lookup find(String key, List<String> ids, Instant since) throws InterruptedException {
    var after = "";
    for (int page = 0; page < PAGES_MAX; page++) {
      var found = http.get("/batches?limit=" + PAGE + after);
      for (var batch : found.path("data")) {
        var made = Instant.ofEpochSecond(batch.path("created_at").asLong(Long.MAX_VALUE / 2_000));
        if (made.isBefore(since.minus(SKEW))) return new Lookup.NotSubmitted();
        if (batch.path("metadata").path(KEY).asString("").equals(key)) {
          return new Lookup.Submitted(http.id(batch.path("id")));
        }
      }
      if (!found.path("has_more").asBoolean(false)) break;
      after = "&after=" + http.id(found.path("last_id"));
    }
    return new Lookup.NotSubmitted();
  }

  @Override
  public Optional<Map<String, BatchResult>> results(String id) throws InterruptedException {
    var batch = http.get("/batches/" + id);
    return switch (batch.path("status").asString("")) {
      case "completed", "expired", "cancelled" -> Optional.of(results(batch));
      case "failed" -> throw refused(batch);
      default -> Optional.empty();
    };
  }

  /// The error for a batch that was not taken, such as for a line of its file.
  private BatchRefused refused(JsonNode batch) throws InterruptedException {
    var errors = batch.path("errors").path("data");
    var told = errors.path(0).path("message").asString("it failed");
    var kind = ModelException.Kind.BAD_REQUEST;
    var why = String.valueOf(http.bodies().error(kind, "took no batch: " + told).getMessage());
    var blamed = new LinkedHashSet<String>();
    var text = http.text("/files/" + http.id(batch.path("input_file_id")) + "/content");
    var lines = text.lines().filter(line -> !line.isBlank()).toList();
    for (var error : errors) {
      int line = error.path("line").asInt(0);
      if (line < 1 || line > lines.size()) continue;
      for (var request : BatchHttp.lines(lines.get(line - 1))) {
        blamed.add(request.path("custom_id").asString(""));
      }
    }
    return new BatchRefused(blamed, why);
  }

  private Map<String, BatchResult> results(JsonNode batch) throws InterruptedException {
    var results = new LinkedHashMap<String, BatchResult>();
    for (var file : List.of("output_file_id", "error_file_id")) {
      if (!batch.hasNonNull(file)) continue;
      var text = http.text("/files/" + http.id(batch.path(file)) + "/content");
      for (var line : BatchHttp.lines(text)) {
        results.put(line.path("custom_id").asString(""), result(line));
      }
    }
    return results;
  }

  private BatchResult result(JsonNode line) {
    var response = line.path("response");
    int status = response.path("status_code").asInt(0);
    if (status == 200) {
      return new BatchResult.Answered(Json.parse(response.path("body").toString()));
    }
    var told = line.path("error");
    if (told.path("code").asString("").contains("expired")) return new BatchResult.Expired();
    var error = told.isObject() ? told : response.path("body").path("error");
    var kind = http.bodies().kind(status, error);
    var message = error.path("message").asString(kind.name());
    var why = String.valueOf(http.bodies().error(kind, message).getMessage());
    return new BatchResult.Failed(kind.name(), why);
  }

  @Override
  public String toString() {
    return "OpenAiBatches[" + ref() + "]";
  }
}
