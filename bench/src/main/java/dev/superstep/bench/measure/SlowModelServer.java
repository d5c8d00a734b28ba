package dev.superstep.bench.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A model server on this machine that speaks OpenAI's protocol and takes its time: it asks for a
/// tool first, and answers when it is shown the result. Safe for many threads.
public final class SlowModelServer implements AutoCloseable {
  private static final int BACKLOG = 4_096;
  private static final String CALL =
      """
      {"id":"r","object":"chat.completion","model":"m","choices":[{"index":0,"message":{\
      "role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{\
      "name":"look","arguments":"{}"}}]},"finish_reason":"tool_calls"}],\
      "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}\
      """;
  private static final String ANSWER =
      """
      {"id":"r","object":"chat.completion","model":"m","choices":[{"index":0,"message":{\
      "role":"assistant","content":"Seen."},"finish_reason":"stop"}],\
      "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}\
      """;

  private final HttpServer server;
  private final Duration takes;
  private final CountDownLatch asked;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static {
    // The JDK's server closes connections beyond 200 that nobody uses, while clients do.
    System.setProperty("sun.net.httpserver.maxIdleConnections", "" + BACKLOG);
  }

  private SlowModelServer(Duration takes, int expected) throws IOException {
    this.takes = takes;
    this.asked = new CountDownLatch(expected);
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = HttpServer.create(address, BACKLOG);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /// Starts one on a free port.
  ///
  /// @param takes how long each answer takes
  /// @param expected how many requests [#awaitAsked] waits for
  public static SlowModelServer start(Duration takes, int expected) throws IOException {
    return new SlowModelServer(takes, expected);
  }

  /// Its URL, with the version and without the model.
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  /// Waits until it was asked as often as expected.
  public void awaitAsked() throws InterruptedException {
    asked.await();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      asked.countDown();
      Thread.sleep(takes);
      var reply = (body.contains("\"tool_call_id\"") ? ANSWER : CALL).getBytes(UTF_8);
      exchange.getResponseHeaders().set("content-type", "application/json");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
