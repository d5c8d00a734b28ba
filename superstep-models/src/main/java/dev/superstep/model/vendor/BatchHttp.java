package dev.superstep.model.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.model.ModelException;
import dev.superstep.model.wire.BatchBodies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The requests of a batch interface. Each ends within a time, and no answer is longer than a
/// limit. Immutable.
///
/// @param headers that show the key
record BatchHttp(BatchBodies bodies, Map<String, List<String>> headers) {
  static final JsonMapper JSON = JsonMapper.shared();

  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          // A redirect would take the key along.
          .followRedirects(HttpClient.Redirect.NEVER)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final Duration WHOLE = Duration.ofSeconds(110);
  private static final int TEXT_MAX = 256_000_000;

  String base() {
    return bodies.endpoint().base();
  }

  JsonNode get(String path) throws InterruptedException {
    return tree(text(path));
  }

  /// The text below a path.
  String text(String path) throws InterruptedException {
    return sent(request(path).GET().build());
  }

  JsonNode post(String path, String json) throws InterruptedException {
    var body = HttpRequest.BodyPublishers.ofString(json);
    return tree(sent(request(path).header("Content-Type", "application/json").POST(body).build()));
  }

  /// @param boundary of the parts
  JsonNode postParts(String path, String boundary, String parts) throws InterruptedException {
    var type = "multipart/form-data; boundary=" + boundary;
    var body = HttpRequest.BodyPublishers.ofString(parts);
    return tree(sent(request(path).header("Content-Type", type).POST(body).build()));
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create(base() + path)).timeout(MOST);
    headers.forEach((name, values) -> {
      if (name.equals("Content-Type")) return;
      values.forEach(value -> request.header(name, value));
    });
    return request;
  }

  private String sent(HttpRequest request) throws InterruptedException {
    // The time limit of a request ends with its headers; this one holds for the body, too.
    var sending =
        HTTP.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(UTF_8), TEXT_MAX));
    try {
      var response = sending.get(WHOLE.toSeconds(), TimeUnit.SECONDS);
      if (response.statusCode() / 100 == 2) return response.body();
      throw bodies.refusal(response.statusCode(), response.headers(), response.body());
    } catch (TimeoutException _) {
      throw bodies.error(
          ModelException.Kind.TIMEOUT,
          "gave no complete answer about a batch within %d s".formatted(WHOLE.toSeconds()));
    } catch (ExecutionException e) {
      var why = e.getCause() == null ? "" : ": " + e.getCause().getClass().getSimpleName();
      throw bodies.error(
          ModelException.Kind.TRANSPORT,
          "did not answer a request for a batch, or answered more than it may" + why);
    } finally {
      sending.cancel(true);
    }
  }

  private JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException _) {
      throw bodies.error(ModelException.Kind.MALFORMED, "sent no JSON about a batch");
    }
  }

  /// A name in an answer that becomes a part of an address.
  String id(JsonNode node) {
    var id = node.asString("");
    if (id.matches("[A-Za-z0-9_-]{1,200}")) return id;
    throw bodies.error(ModelException.Kind.MALFORMED, "names a batch or a file by no id");
  }

  /// The values of lines of JSON; a line that is none is left out.
  static List<JsonNode> lines(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .map(BatchHttp::line)
        .filter(JsonNode::isObject)
        .toList();
  }

  private static JsonNode line(String line) {
    try {
      return JSON.readTree(line);
    } catch (JacksonException _) {
      return JSON.nullNode();
    }
  }

  @Override
  public String toString() {
    return "BatchHttp[" + base() + "]";
  }
}
