package dev.superstep.model.vendor;

import dev.superstep.batch.BatchApi;
import dev.superstep.batch.BatchResult;
import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Anthropic's message batches. A batch has no name of its own there; one whose sender died is
/// known by the ids of its requests, which the vendor tells when it is over. Immutable.
record AnthropicBatches(BatchHttp http) implements BatchApi {
  private static final String PATH = "/messages/batches";
  private static final Pattern PLACE = Pattern.compile("\\brequests\\.(\\d{1,5})\\b");
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
    var requests = new StringBuilder("{\"requests\":[");
    bodies.forEach((id, body) -> {
      if (requests.charAt(requests.length() - 1) == '}') requests.append(',');
      requests.append("{\"custom_id\":").append(Json.string(id).text());
      requests.append(",\"params\":").append(body.text()).append('}');
    });
    return http.id(http.post(PATH, requests.append("]}").toString()).path("id"));
  }

  /// Anthropic names a request by its place in the batch, such as `requests.3.params.max_tokens`.
  @Override
  public Set<String> blamed(ModelException refusal, List<String> ids) {
    var named = PLACE.matcher(String.valueOf(refusal.getMessage()));
    var all = new LinkedHashSet<String>();
    while (named.find()) {
      int place = Integer.parseInt(named.group(1));
      if (place < ids.size()) all.add(ids.get(place));
    }
    return all.isEmpty() ? BatchApi.super.blamed(refusal, ids) : all;
  }

  @Override
  public Lookup find(String key, List<String> ids, Instant since) throws InterruptedException {
    boolean isUnclear = false;
    var after = "";
    for (int page = 0; page < PAGES_MAX; page++) {
      var found = http.get(PATH + "?limit=" + PAGE + after);
      for (var batch : found.path("data")) {
        if (isOlder(batch, since)) {
          return isUnclear ? new Lookup.Unclear() : new Lookup.NotSubmitted();
        }
        if (total(batch) != ids.size()) continue;
        if (!isOver(batch)) {
          isUnclear = true;
        } else if (results(batch).containsKey(ids.getFirst())) {
          return new Lookup.Submitted(http.id(batch.path("id")));
        }
      }
      if (!found.path("has_more").asBoolean(false)) break;
      after = "&after_id=" + http.id(found.path("last_id"));
    }
    return isUnclear ? new Lookup.Unclear() : new Lookup.NotSubmitted();
  }

  private static boolean isOlder(JsonNode batch, Instant since) {
    try {
      var made = Instant.parse(batch.path("created_at").asString(""));
      return made.isBefore(since.minus(SKEW));
    } catch (DateTimeParseException _) {
      return false;
    }
  }

  private static long total(JsonNode batch) {
    long sum = 0;
    for (var count : batch.path("request_counts")) sum += count.asLong(0);
    return sum;
  }

  private static boolean isOver(JsonNode batch) {
    return batch.path("processing_status").asString("").equals("ended");
  }

  @Override
  public Optional<Map<String, BatchResult>> results(String id) throws InterruptedException {
    var batch = http.get(PATH + "/" + id);
    return isOver(batch) ? Optional.of(results(batch)) : Optional.empty();
  }

  private Map<String, BatchResult> results(JsonNode batch) throws InterruptedException {
    var results = new LinkedHashMap<String, BatchResult>();
    // Where the results are is told by an address, which may lead anywhere; the key stays here.
    var text = http.text(PATH + "/" + http.id(batch.path("id")) + "/results");
    for (var line : BatchHttp.lines(text)) {
      results.put(line.path("custom_id").asString(""), result(line.path("result")));
    }
    return results;
  }

  private BatchResult result(JsonNode result) {
    return switch (result.path("type").asString("")) {
      case "succeeded" -> new BatchResult.Answered(Json.parse(result.path("message").toString()));
      case "errored" -> {
        var error = result.path("error");
        var inner = error.path("error").isObject() ? error.path("error") : error;
        var kind = http.bodies().kind(0, inner);
        yield new BatchResult.Failed(kind.name(), told(kind, inner));
      }
      default -> new BatchResult.Expired();
    };
  }

  private String told(ModelException.Kind kind, JsonNode error) {
    var message = error.path("message").asString(kind.name());
    return String.valueOf(http.bodies().error(kind, message).getMessage());
  }

  @Override
  public String toString() {
    return "AnthropicBatches[" + ref() + "]";
  }
}
