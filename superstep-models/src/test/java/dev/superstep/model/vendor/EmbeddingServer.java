package dev.superstep.model.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A server that embeds texts by their letters, in the forms of OpenAI, Ollama and Gemini, and
/// refuses what these refuse. Safe for many threads.
final class EmbeddingServer implements AutoCloseable {
  private static final int DIMENSION = 16;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  private EmbeddingServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  static EmbeddingServer start() throws IOException {
    return new EmbeddingServer();
  }

  String authority() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String lastBody() {
    return bodies.getLast();
  }

  int calls() {
    return bodies.size();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var text = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      bodies.add(text);
      var path = exchange.getRequestURI().getPath();
      var body = JSON.readTree(text);
      var texts = texts(path, body);
      var refused = refusal(path, texts);
      var reply = refused.isEmpty() ? reply(path, texts) : "{\"error\":\"" + refused + "\"}";
      var bytes = reply.getBytes(UTF_8);
      exchange.sendResponseHeaders(refused.isEmpty() ? 200 : 400, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static List<String> texts(String path, JsonNode body) {
    var texts = new ArrayList<String>();
    if (path.endsWith(":batchEmbedContents")) {
      for (var one : body.path("requests")) {
        texts.add(one.at("/content/parts/0/text").asString(""));
        // ai.google.dev/api/embeddings: each request names the model of the URL.
        if (!path.contains("/" + one.path("model").asString("") + ":")) return List.of();
      }
    } else {
      for (var one : body.path("input")) texts.add(one.asString(""));
    }
    return texts;
  }

  private static String refusal(String path, List<String> texts) {
    if (texts.isEmpty()) return "nothing to embed";
    // developers.openai.com, api/reference/embeddings: no empty text, at most 2,048. Google's limit
    // of 100 is from "at most 100 requests can be in one batch", reported; for Ollama not verified.
    if (texts.stream().anyMatch(String::isEmpty)) return "input cannot be an empty string";
    int most = path.endsWith(":batchEmbedContents") ? 100 : 2_048;
    return texts.size() > most ? "at most " + most : "";
  }

  private static String reply(String path, List<String> texts) {
    var vectors = texts.stream().map(EmbeddingServer::vector).toList();
    if (path.endsWith("/api/embed")) return "{\"embeddings\":" + vectors + "}";
    if (path.endsWith(":batchEmbedContents")) {
      var all = vectors.stream().map(vector -> "{\"values\":" + vector + "}").toList();
      return "{\"embeddings\":" + all + "}";
    }
    // In another order than that of the texts, which `index` tells.
    var all = new ArrayList<String>();
    for (int i = vectors.size() - 1; i >= 0; i--) {
      all.add("{\"index\":%d,\"embedding\":%s}".formatted(i, vectors.get(i)));
    }
    return "{\"data\":" + all + "}";
  }

  private static List<Double> vector(String text) {
    var counts = new double[DIMENSION];
    counts[0] = 0.5;
    text.chars().forEach(letter -> counts[letter % DIMENSION]++);
    var vector = new ArrayList<Double>();
    for (var count : counts) vector.add(count);
    return vector;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
