package dev.superstep.retrieval.refine;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A request to a reranking service, with its repetitions. Immutable.
///
/// @param reranker the id of the reranker, for errors
record RerankCall(String reranker, HttpReranker.Settings settings) {
  private static final int ANSWER_BYTES_MAX = 2_000_000;
  private static final int TEXT_MAX = 8_000;
  private static final int QUESTION_MAX = 4_000;
  private static final int EXCERPT_MAX = 200;
  private static final Duration DELAY = Duration.ofMillis(500);
  private static final Duration DELAY_MAX = Duration.ofSeconds(20);

  private static final JsonMapper JSON = new JsonMapper();

  /// Redirects are not followed: they would carry the key, or the passages, to another address.
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(20))
          .build();

  /// An attempt that may succeed later.
  private static final class Refused extends Exception {
    private final RerankFailed failure;
    private final OptionalLong seconds;

    Refused(RerankFailed failure, OptionalLong seconds) {
      super(failure);
      this.failure = failure;
      this.seconds = seconds;
    }
  }

  /// The relevance of texts by their places, from 0. Some may be missing.
  Map<Integer, Double> ask(String question, List<String> texts) throws InterruptedException {
    var request = request(question, texts);
    for (int attempt = 0; ; attempt++) {
      try {
        return read(send(request), texts.size());
      } catch (Refused e) {
        if (attempt >= settings.retries()) throw e.failure;
        Thread.sleep(delay(attempt, e.seconds));
      }
    }
  }

  private HttpRequest request(String question, List<String> texts) {
    var cut = texts.stream().map(text -> Relevance.beginning(text, TEXT_MAX)).toList();
    var body = new LinkedHashMap<String, Object>();
    if (!settings.model().isBlank()) body.put("model", settings.model());
    body.put("query", Relevance.beginning(question, QUESTION_MAX));
    switch (settings.form()) {
      case COHERE -> {
        body.put("documents", cut);
        body.put("top_n", cut.size());
      }
      case TEXT_EMBEDDINGS_INFERENCE -> {
        body.put("texts", cut);
        body.put("truncate", true);
      }
    }
    var request =
        HttpRequest.newBuilder(settings.url())
            .timeout(settings.timeout())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    if (!settings.key().isEmpty()) request.header("Authorization", "Bearer " + settings.key());
    return request.build();
  }

  private String send(HttpRequest request) throws Refused, InterruptedException {
    try {
      var response = CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
      // The time of the request ends with its headers, so the body has a time of its own.
      var body = BoundedBody.read(response.body(), ANSWER_BYTES_MAX, settings.timeout());
      int status = response.statusCode();
      if (status / 100 == 2) return body;
      var failure = refusal(status, body);
      if (status != 429 && status < 500) throw failure;
      var wait = response.headers().firstValue("Retry-After").filter(t -> t.matches("\\d{1,6}"));
      throw new Refused(
          failure, wait.map(t -> OptionalLong.of(Long.parseLong(t))).orElse(OptionalLong.empty()));
    } catch (IOException e) {
      var why = "there was no answer (" + e.getClass().getSimpleName() + ")";
      throw new Refused(
          failure(why, "Check that the service runs and can be reached.", e), OptionalLong.empty());
    }
  }

  private RerankFailed refusal(int status, String body) {
    var said = Relevance.beginning(body.replaceAll("\\s+", " ").strip(), EXCERPT_MAX);
    if (!settings.key().isEmpty()) said = said.replace(settings.key(), "(key)");
    var advice =
        switch (status) {
          case 401, 403 -> "Check the key.";
          case 404 -> "Check the address, which must be that of the whole endpoint.";
          case 429 -> "Ask less often, or raise the limit at the service.";
          default -> "See the documentation of the service.";
        };
    return failure("it answered %d: %s".formatted(status, said), advice, null);
  }

  private Map<Integer, Double> read(String body, int size) {
    var relevance = new HashMap<Integer, Double>();
    for (var result : results(body)) {
      var score =
          result.has("relevance_score") ? result.get("relevance_score") : result.get("score");
      var index = result.get("index");
      if (index == null || !index.isInt() || score == null || !score.isNumber()) {
        throw malformed(null);
      }
      int place = index.intValue();
      double value = score.doubleValue();
      if (place < 0 || place >= size || !Double.isFinite(value)) throw malformed(null);
      relevance.putIfAbsent(place, value);
    }
    if (relevance.isEmpty()) throw malformed(null);
    return relevance;
  }

  private JsonNode results(String body) {
    try {
      var tree = JSON.readTree(body);
      if (tree.isArray()) return tree;
      for (var name : List.of("results", "data")) {
        var list = tree.get(name);
        if (list != null && list.isArray()) return list;
      }
    } catch (JacksonException e) {
      throw malformed(e);
    }
    throw malformed(null);
  }

  private RerankFailed malformed(@Nullable Exception cause) {
    return failure(
        "its answer has no relevance for each passage",
        "Check that the address is that of a reranker, and its form.",
        cause);
  }

  private RerankFailed failure(String why, String advice, @Nullable Exception cause) {
    return new RerankFailed(reranker, why, advice, cause);
  }

  private static Duration delay(int attempt, OptionalLong seconds) {
    if (seconds.isPresent()) {
      var asked = Duration.ofSeconds(seconds.getAsLong());
      return asked.compareTo(DELAY_MAX) < 0 ? asked : DELAY_MAX;
    }
    long most = DELAY.toMillis() << Math.min(attempt, 5);
    return Duration.ofMillis(most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1));
  }

  /// Reads an answer within a size and a time.
  private static final class BoundedBody {
    static String read(InputStream in, int most, Duration time)
        throws IOException, InterruptedException {
      // The body is closed from outside, since a read cannot be interrupted.
      var alarm =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  Thread.sleep(time);
                  in.close();
                } catch (InterruptedException | IOException _) {
                  // The body was read in time, or is closed already.
                }
              });
      try (in) {
        var bytes = in.readNBytes(most + 1);
        if (bytes.length > most) throw new IOException("the answer is too large");
        return new String(bytes, StandardCharsets.UTF_8);
      } finally {
        alarm.interrupt();
      }
    }
  }
}
