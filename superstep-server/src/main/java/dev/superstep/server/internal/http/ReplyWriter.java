package dev.superstep.server.internal.http;

import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.security.Principal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Sends replies. Safe for many threads.
final class ReplyWriter {
  /// The longest time until it is noticed that a client has gone.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final JsonBody json;
  private final Duration heartbeat;
  private final OpenStreams streams;
  private final HttpLimits limits;
  private final Consumer<Principal> rate;

  /// @param rate checks whether a principal may send one more message
  ReplyWriter(JsonBody json, HttpLimits limits, OpenStreams streams, Consumer<Principal> rate) {
    this.json = json;
    this.limits = limits;
    this.rate = rate;
    this.heartbeat = limits.heartbeat();
    this.streams = streams;
  }

  /// The client has closed its connection before it had everything.
  static final class ClientGone extends IOException {
    private static final long serialVersionUID = 1;

    ClientGone() {
      super("the client is gone");
    }
  }

  /// Sends a reply whole.
  ///
  /// @param common headers that it gets unless it has them itself
  /// @return the status that the client got
  int write(Exchange exchange, String principal, Reply reply, Map<String, String> common)
      throws IOException, InterruptedException {
    var headers = new LinkedHashMap<>(common);
    headers.putAll(reply.headers());
    return switch (reply) {
      case Reply.Value(var status, var body, _) ->
          send(exchange, status, typed(headers, "application/json"), json.write(body));
      case Reply.Bytes(var status, var type, var body, _) ->
          send(exchange, status, typed(headers, type), body);
      case Reply.Empty(var status, _) -> {
        exchange.begin(status, headers, status == 204 ? -1 : 0).close();
        yield status;
      }
      case Reply.Events(var source, _) -> {
        try (source) {
          try (var _ = streams.take(principal)) {
            stream(exchange, source, headers);
          }
        }
        yield 200;
      }
      case Reply.Upgrade upgrade -> {
        upgrade(exchange, upgrade, headers);
        yield 101;
      }
      case Reply.Later(var body, _) -> {
        try (var _ = streams.take(principal)) {
          await(exchange, new FutureTask<>(body), headers);
        }
        yield 200;
      }
    };
  }

  private void upgrade(Exchange exchange, Reply.Upgrade reply, Map<String, String> headers)
      throws IOException {
    var place = streams.take(reply.opening().principal().id());
    var ofSocket = new SocketMessages.Limits(rate, json, place);
    try {
      exchange.upgrade(
          new SocketUpgrade(
              limits.bodyBytes(),
              limits.stall(),
              socket -> new SocketMessages(reply.opening(), socket, reply.opener(), ofSocket)),
          headers);
    } catch (IOException | RuntimeException refused) {
      place.close();
      throw refused;
    }
  }

  private static Map<String, String> typed(Map<String, String> headers, String type) {
    headers.putIfAbsent("Content-Type", type);
    return headers;
  }

  private static int send(Exchange exchange, int status, Map<String, String> headers, byte[] body)
      throws IOException {
    try (var out = exchange.begin(status, headers, body.length)) {
      if (!exchange.method().equals("HEAD")) out.write(body);
    }
    return status;
  }

  private void stream(Exchange exchange, FrameSource source, Map<String, String> headers)
      throws IOException, InterruptedException {
    headers.put("Content-Type", "text/event-stream");
    headers.put("Cache-Control", "no-store, no-transform");
    headers.put("X-Accel-Buffering", "no");
    // Closed only at its end: a client must not take a stream that broke for a whole one.
    var out = exchange.begin(200, headers, -1);
    out.flush();
    var beat = new Beat(exchange, out, ": heartbeat\n\n");
    while (!source.isOver()) {
      var frames = source.next(beat.untilNext());
      if (!frames.isEmpty()) {
        var text = new StringBuilder();
        for (var frame : frames) append(text, frame);
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
      beat.orGone();
    }
    out.close();
  }

  /// Frames are lines that end with a line feed, so data must have none; JSON in one line has none.
  private static void append(StringBuilder text, Frame frame) {
    if (!frame.id().isEmpty()) text.append("id: ").append(line(frame.id())).append('\n');
    if (!frame.event().isEmpty()) text.append("event: ").append(line(frame.event())).append('\n');
    if (frame.retry() > 0) text.append("retry: ").append(frame.retry()).append('\n');
    if (!frame.data().isEmpty() || frame.retry() > 0) {
      text.append("data: ").append(line(frame.data())).append('\n');
    }
    text.append('\n');
  }

  private static String line(String text) {
    return text.indexOf('\n') < 0 && text.indexOf('\r') < 0
        ? text
        : text.replace('\n', ' ').replace('\r', ' ');
  }

  private void await(Exchange exchange, FutureTask<JsonNode> body, Map<String, String> headers)
      throws IOException, InterruptedException {
    typed(headers, "application/json");
    var worker = Thread.ofVirtual().name("superstep-http-later").start(body);
    try {
      var out = exchange.begin(200, headers, -1);
      out.flush();
      var beat = new Beat(exchange, out, " ");
      while (true) {
        try {
          out.write(json.write(body.get(beat.untilNext().toNanos(), TimeUnit.NANOSECONDS)));
          out.close();
          return;
        } catch (TimeoutException _) {
          beat.orGone();
        } catch (ExecutionException failed) {
          // The status is out; clients of LangGraph take this for the failure.
          var cause = cause(failed);
          out.write(json.write(error(cause)));
          out.close();
          throw cause;
        }
      }
    } finally {
      body.cancel(true);
      worker.interrupt();
    }
  }

  private static JsonNode error(RuntimeException cause) {
    var error = JsonNodeFactory.instance.objectNode();
    var message = cause instanceof HttpFailure failure ? failure.text() : "The server failed.";
    error.putObject("__error__").put("error", "Error").put("message", message);
    return error;
  }

  private static RuntimeException cause(ExecutionException failed) throws InterruptedException {
    return switch (failed.getCause()) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      case InterruptedException interrupted -> throw interrupted;
      case IOException io -> new UncheckedIOException(io);
      case null, default -> new IllegalStateException(failed.getCause());
    };
  }

  /// The regular sign of life of a stream, and the look at its client.
  private final class Beat {
    private final Exchange exchange;
    private final OutputStream out;
    private final byte[] sign;
    private long nextBeat = System.nanoTime() + heartbeat.toNanos();
    private long nextLook = System.nanoTime() + LOOK.toNanos();

    Beat(Exchange exchange, OutputStream out, String sign) {
      this.exchange = exchange;
      this.out = out;
      this.sign = sign.getBytes(StandardCharsets.UTF_8);
    }

    Duration untilNext() {
      long now = System.nanoTime();
      return Duration.ofNanos(Math.max(1, Math.min(nextBeat - now, nextLook - now)));
    }

    /// Sends the sign if it is time for it. Regular also between events: clients take the time
    /// between two signs for a promise.
    void orGone() throws IOException {
      long now = System.nanoTime();
      if (now - nextLook >= 0) {
        if (exchange.isClientGone()) throw new ClientGone();
        nextLook = now + LOOK.toNanos();
      }
      if (now - nextBeat >= 0) {
        out.write(sign);
        out.flush();
        nextBeat = now + heartbeat.toNanos();
      }
    }
  }
}
