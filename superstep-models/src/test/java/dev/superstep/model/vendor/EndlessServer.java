package dev.superstep.model.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.testkit.model.WireFormat;
import dev.superstep.testkit.model.WireFormats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/// A server whose replies do not end, or are very large. The first part of the path says which.
/// Safe for many threads.
final class EndlessServer implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;
  private static final int LARGE = 63 * 1024 * 1024;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private final List<String> refusals = new CopyOnWriteArrayList<>();

  private EndlessServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  static EndlessServer start() throws IOException {
    return new EndlessServer();
  }

  String authority() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /// The vendors' rules that requests broke.
  List<String> refusals() {
    return refusals;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var asked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var whole = exchange.getRequestURI().toString();
      var path = exchange.getRequestURI().getPath().split("/");
      var refused = format(path).refusals(whole, asked, List.of());
      refusals.addAll(refused);
      exchange.sendResponseHeaders(refused.isEmpty() ? 200 : 400, 0);
      if (!refused.isEmpty()) return;
      // Ollama's path is always the same.
      if (!path[1].equals("api")) send(exchange, path[1], path[2]);
      else send(exchange, JsonMapper.shared().readTree(asked).path("model").asString(), "ollama");
    } catch (IOException _) {
      // The reader has had enough, which is what it should have.
    }
  }

  /// The rules of the vendor in the path.
  private static WireFormat format(String[] path) {
    if (path[1].equals("api")) return WireFormats.OLLAMA.format();
    return switch (path[2]) {
      case "anthropic" -> WireFormats.ANTHROPIC.format();
      case "gemini" -> WireFormats.GEMINI.format();
      case "mistral" -> WireFormats.MISTRAL.format();
      default -> WireFormats.OPENAI_COMPATIBLE.format();
    };
  }

  private static void send(HttpExchange exchange, String flood, String vendor) throws IOException {
    switch (flood) {
      case "line" -> endless(exchange, "data: ", "x");
      case "blanks" -> endless(exchange, "{", " ");
      case "data" -> endless(exchange, "", "data: " + "x".repeat(500) + "\n");
      case "pings" -> endless(exchange, "", ": ping\n\n");
      case "text" -> endless(exchange, "", text(vendor, "x".repeat(1_000)));
      case "whole" -> endless(exchange, "{\"text\":\"", "x");
      case "calls" -> calls(exchange);
      case "objects" -> {
        var most = "{},".repeat(1_300_000);
        endless(exchange, "", "data: {\"choices\":[" + most + "{}]}\n\n");
      }
      case "large" -> {
        var piece = bytes(text(vendor, "x".repeat(8_000)));
        for (long sent = 0; sent < LARGE; sent += piece.length) write(exchange, piece);
        write(exchange, bytes("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n"));
      }
      default -> {
        write(exchange, bytes(text(vendor, "All is well.")));
        write(exchange, bytes("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n"));
      }
    }
  }

  private static void endless(HttpExchange exchange, String first, String then) throws IOException {
    write(exchange, bytes(first));
    var chunk = bytes(then.repeat(Math.max(1, CHUNK / then.length())));
    while (true) write(exchange, chunk);
  }

  private static void calls(HttpExchange exchange) throws IOException {
    for (int i = 0; ; i++) {
      var call =
          "{\"index\":%d,\"id\":\"c\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}";
      var event = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[" + call + "]}}]}\n\n";
      write(exchange, bytes(event.formatted(i)));
    }
  }

  /// A piece of text in the form of a vendor.
  private static String text(String vendor, String text) {
    return switch (vendor) {
      case "anthropic" ->
          "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n"
              .formatted(text);
      case "gemini" ->
          "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"%s\"}]}}]}\n\n"
              .formatted(text);
      case "ollama" -> "{\"message\":{\"content\":\"%s\"}}\n".formatted(text);
      default -> "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}\n\n".formatted(text);
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void write(HttpExchange exchange, byte[] bytes) throws IOException {
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
