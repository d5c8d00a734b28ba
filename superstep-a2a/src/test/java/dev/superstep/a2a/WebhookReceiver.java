package dev.superstep.a2a;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A receiver of push notifications on this machine, which keeps what it got.
final class WebhookReceiver implements AutoCloseable {
  private static final int SECONDS = 20;

  private final HttpServer server;
  private final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
  private volatile int status = 204;

  /// A call.
  record Notice(String path, Map<String, String> headers, String body) {
    JsonNode task() {
      return new JsonMapper().readTree(body).path("task");
    }

    String state() {
      return RpcRequests.state(task());
    }
  }

  WebhookReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
          exchange.getRequestHeaders().forEach((name, all) -> headers.put(name, all.getFirst()));
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          notices.add(new Notice(exchange.getRequestURI().getPath(), headers, body));
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  /// Answers with this status from now on.
  void answer(int other) {
    status = other;
  }

  String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  Notice next() throws InterruptedException {
    var next = notices.poll(SECONDS, TimeUnit.SECONDS);
    if (next == null) throw new AssertionError("no notification came");
    return next;
  }

  boolean isEmpty() {
    return notices.isEmpty();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
