package dev.superstep.testkit.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// A server on this machine that plays a model vendor: it gives scripted answers over real HTTP,
/// keeps what it was asked, and refuses requests that break the vendor's documented rules. Safe for
/// many threads.
public final class ModelServer implements AutoCloseable {
  private static final int WRITES_MAX = 100_000;
  private static final int WAIT_MAX_SECONDS = 20;

  private final WireFormat format;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<Answer.Says> said = new CopyOnWriteArrayList<>();
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private final List<ReceivedRequest> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch firstAsked = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch resumed = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);

  /// A request.
  ///
  /// @param authorization the headers that may hold a key, joined
  /// @param betas the unfinished features that it names
  public record ReceivedRequest(String path, String authorization, String body, String betas) {}

  private ModelServer(WireFormat format) throws IOException {
    this.format = format;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /// Starts a server on a free port.
  public static ModelServer start(WireFormat format) {
    try {
      return new ModelServer(format);
    } catch (IOException e) {
      throw new UncheckedIOException("no model server on the loopback address", e);
    }
  }

  /// `http://host:port`, without a slash at the end.
  public String url() {
    return "http://" + authority();
  }

  /// `host:port`.
  public String authority() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /// Adds an answer; each request takes the oldest.
  public ModelServer answer(Answer next) {
    answers.add(next);
    return this;
  }

  /// Returns the requests so far, oldest first.
  public List<ReceivedRequest> asked() {
    return List.copyOf(asked);
  }

  /// The rules of the vendor that requests have broken, for which they were refused.
  public List<String> refusals() {
    return List.copyOf(refusals);
  }

  /// The body of the last request.
  public String lastBody() {
    return asked.getLast().body();
  }

  /// Waits for the first request; false if there is none.
  public boolean awaitAsked() throws InterruptedException {
    return firstAsked.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
  }

  /// Lets a stalled stream continue, without end if nobody hangs up.
  public void resume() {
    resumed.countDown();
  }

  /// Waits until the reader of a stream that was stalled has hung up; false if it never does.
  public boolean awaitHangUp() throws InterruptedException {
    return gone.await(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().toString();
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var betas = exchange.getRequestHeaders().getOrDefault("anthropic-beta", List.of());
      asked.add(new ReceivedRequest(path, keys(exchange), body, String.join(",", betas)));
      firstAsked.countDown();
      var refused = format.refusals(path, body, said);
      if (!refused.isEmpty()) {
        refusals.addAll(refused);
        send(exchange, 400, format.error(400, refused.getFirst()));
        return;
      }
      var next = answers.poll();
      if (next == null) next = Answer.error(500, "the test gave no answer for this request");
      boolean stream = format.isStream(path, body);
      if (next instanceof Answer.Says says) said.add(says);
      switch (next) {
        case Answer.Says says when stream -> send(exchange, format.parts(says));
        case Answer.Says says -> send(exchange, 200, format.whole(says));
        case Answer.Fails(var status, var headers, var message) -> {
          headers.forEach(exchange.getResponseHeaders()::add);
          send(exchange, status, format.error(status, message));
        }
        case Answer.Sends(var text) -> send(exchange, 200, text);
        case Answer.Hangs _ -> await(closing);
        case Answer.Stalls(var piece) -> stall(exchange, piece);
        case Answer.GivesUp(var piece, var message) -> {
          begin(exchange);
          write(exchange, format.opening(piece));
          write(exchange, List.of(format.overload(message)));
          exchange.getResponseBody().close();
        }
        case Answer.BreaksOff(var piece, var abrupt) -> {
          begin(exchange);
          write(exchange, format.opening(piece));
          // Closing the exchange without closing its body leaves the last chunk out.
          if (!abrupt) exchange.getResponseBody().close();
        }
      }
    }
  }

  private static String keys(HttpExchange exchange) {
    var headers = exchange.getRequestHeaders();
    var keys = new StringBuilder();
    for (var name : List.of("authorization", "x-api-key", "x-goog-api-key")) {
      var value = headers.getFirst(name);
      if (value != null) keys.append(value);
    }
    return keys.toString();
  }

  private void send(HttpExchange exchange, int status, String body) throws IOException {
    exchange.getResponseHeaders().set("content-type", "application/json");
    var bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) exchange.getResponseBody().write(bytes);
  }

  private void send(HttpExchange exchange, List<String> parts) throws IOException {
    begin(exchange);
    write(exchange, parts);
    exchange.getResponseBody().close();
  }

  private void begin(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("content-type", format.streamType());
    exchange.sendResponseHeaders(200, 0);
  }

  private void write(HttpExchange exchange, List<String> parts) throws IOException {
    for (var part : parts) {
      exchange.getResponseBody().write(part.getBytes(UTF_8));
      exchange.getResponseBody().flush();
    }
  }

  private void stall(HttpExchange exchange, String piece) throws IOException {
    begin(exchange);
    var parts = format.opening(piece);
    write(exchange, parts);
    await(resumed);
    try {
      for (int i = 0; i < WRITES_MAX; i++) write(exchange, List.of(parts.getLast()));
    } catch (IOException _) {
      gone.countDown();
    }
  }

  private void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("the server is closing", e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    resumed.countDown();
    threads.shutdownNow();
    server.stop(0);
  }
}
