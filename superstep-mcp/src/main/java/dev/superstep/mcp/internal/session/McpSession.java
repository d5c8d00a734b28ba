package dev.superstep.mcp.internal.session;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.transport.McpThreads;
import dev.superstep.mcp.internal.transport.MessageLimits;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.transport.Transport;
import dev.superstep.mcp.internal.wire.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A session with a server: requests with their answers, by the rules of JSON-RPC. It ends with its
/// transport. Safe for many threads.
public final class McpSession implements Transport.Listener, AutoCloseable {
  private static final int STRANGE_MAX = 1_000;
  private static final int ASKED_AT_ONCE_MAX = 8;
  private static final int BATCH_MAX = 1_000;
  private static final int TEXT_MAX = 500;

  private final String server;
  private final Transport transport;
  private final ServerRequests requests;
  private final MessageLimits limits;
  private final AtomicLong ids = new AtomicLong();
  private final AtomicInteger strange = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<Long, PendingRequest> pending = new ConcurrentHashMap<>();
  private final Mutex ending = new Mutex();
  private volatile @Nullable String closed;
  private volatile @Nullable ObjectNode meta;

  /// A session, which is not open yet.
  public McpSession(
      String server, Transport transport, ServerRequests requests, MessageLimits limits) {
    this.server = server;
    this.transport = transport;
    this.requests = requests;
    this.limits = limits;
  }

  /// Begins to listen.
  public void open() {
    transport.open(this);
  }

  /// Says this with each request from now on; null for nothing.
  public void saying(@Nullable ObjectNode always) {
    meta = always;
  }

  /// Returns whether requests can be sent.
  public boolean isOpen() {
    return closed == null;
  }

  /// The transport.
  public Transport transport() {
    return transport;
  }

  /// Sends a request and waits for its answer. When that wait is interrupted or over, the server is
  /// told that nobody waits any more.
  ///
  /// @param progress is told how far the server is, on this thread
  public JsonNode request(
      String method, ObjectNode params, Duration most, Consumer<String> progress)
      throws InterruptedException, RequestFailed {
    return request(method, params, most, progress, Map.of());
  }

  /// Sends a request, some of whose arguments are repeated in headers.
  public JsonNode request(
      String method,
      ObjectNode params,
      Duration most,
      Consumer<String> progress,
      Map<String, String> mirrored)
      throws InterruptedException, RequestFailed {
    long id = ids.incrementAndGet();
    long deadline = System.nanoTime() + most.toNanos();
    var waiting = new PendingRequest(method);
    pending.put(id, waiting);
    try {
      var why = closed;
      if (why != null) throw new RequestFailed(new RequestFailed.Lost(method, why));
      var always = meta;
      if (always != null) params.withObjectProperty("_meta").setAll(always.deepCopy());
      if (method.equals("tools/call")) withToken(params, id);
      var message = message(method, params);
      message.put("id", id);
      transport.send(message, id, mirrored);
      return answer(waiting, method, deadline, most, progress);
    } catch (InterruptedException e) {
      giveUp(method, id);
      throw e;
    } catch (RequestFailed e) {
      if (e.why() instanceof RequestFailed.TimedOut) giveUp(method, id);
      throw e;
    } finally {
      pending.remove(id);
      transport.forget(id);
    }
  }

  /// Tells the server that nobody waits any more. The greeting is the one request that must not be
  /// cancelled.
  private void giveUp(String method, long id) {
    if (!method.equals("initialize") && !transport.cancelsByClosing()) cancel(id);
  }

  private static void withToken(ObjectNode params, long id) {
    params.withObjectProperty("_meta").put("progressToken", id);
  }

  private JsonNode answer(
      PendingRequest waiting,
      String method,
      long deadline,
      Duration most,
      Consumer<String> progress)
      throws InterruptedException, RequestFailed {
    int told = 0;
    while (true) {
      switch (waiting.await(deadline)) {
        case null -> throw new RequestFailed(new RequestFailed.TimedOut(method, most));
        case PendingRequest.Event.Progress(var text) -> {
          if (told++ < limits.progress()) progress.accept(text);
        }
        case PendingRequest.Event.Answer(var result) -> {
          return result;
        }
        case PendingRequest.Event.Failure(var code, var text, var data) ->
            throw new RequestFailed(new RequestFailed.Refused(method, code, text, data));
        case PendingRequest.Event.Lost(var why) -> throw new RequestFailed(why);
      }
    }
  }

  private void cancel(long id) {
    var params = Wire.object();
    params.put("requestId", id);
    params.put("reason", "nobody waits for it any more");
    notify("notifications/cancelled", params);
  }

  /// Tells the server something.
  public void notify(String method, ObjectNode params) {
    if (isOpen()) transport.send(message(method, params), -1, Map.of());
  }

  private static ObjectNode message(String method, ObjectNode params) {
    var message = Wire.object();
    message.put("jsonrpc", "2.0");
    message.put("method", method);
    if (!params.isEmpty()) message.set("params", params);
    return message;
  }

  // --- What comes ---

  @Override
  public void onMessage(JsonNode message) {
    if (message.isArray() && message.size() <= BATCH_MAX) {
      // Revision 2025-03-26 knows batches.
      for (var one : message) onOne(one);
    } else {
      onOne(message);
    }
  }

  private void onOne(JsonNode message) {
    var method = message.path("method");
    var id = message.get("id");
    if (!message.isObject() || !message.path("jsonrpc").asString("").equals("2.0")) {
      onStrange();
    } else if (method.isString() && id != null && (id.isString() || id.isIntegralNumber())) {
      onRequest(method.asString(), message.path("params"), id);
    } else if (method.isString()) {
      onNotification(method.asString(), message.path("params"));
    } else {
      onAnswer(message, id);
    }
  }

  private void onAnswer(JsonNode message, @Nullable JsonNode id) {
    var waiting = id != null && id.isIntegralNumber() ? pending.get(id.asLong(-1)) : null;
    var error = message.get("error");
    var result = message.get("result");
    if (waiting == null) {
      onStrange();
    } else if (error != null) {
      int code = error.path("code").asInt(0);
      var data = error.has("data") ? Wire.write(error.path("data")) : "";
      waiting.end(
          new PendingRequest.Event.Failure(
              code, Wire.cut(Wire.text(error, "message"), TEXT_MAX), data));
    } else if (result != null && result.isObject()) {
      waiting.end(new PendingRequest.Event.Answer(result));
    } else {
      waiting.end(
          new PendingRequest.Event.Lost(
              new RequestFailed.Misbehaved(
                  "answered `" + waiting.method() + "` with no result and no error.")));
    }
  }

  private void onNotification(String method, JsonNode params) {
    if (method.equals("notifications/progress")) {
      var token = params.path("progressToken");
      var waiting = token.isIntegralNumber() ? pending.get(token.asLong(-1)) : null;
      if (waiting == null) onStrange();
      else waiting.tell(new PendingRequest.Event.Progress(progress(params)));
    } else {
      requests.onNotification(method, params);
    }
  }

  private static String progress(JsonNode params) {
    var done = params.path("progress").asString("");
    var total = params.path("total").asString("");
    var text = Wire.text(params, "message");
    var count = total.isEmpty() ? done : done + " of " + total;
    return Wire.cut(text.isEmpty() ? count : count + ": " + text, TEXT_MAX);
  }

  private void onRequest(String method, JsonNode params, JsonNode id) {
    if (method.equals("ping")) {
      reply(id, Wire.object(), null);
      return;
    }
    if (asked.incrementAndGet() > ASKED_AT_ONCE_MAX) {
      asked.decrementAndGet();
      reply(id, null, new ServerRequests.Rejected(ServerRequests.INTERNAL, "too many at once"));
      return;
    }
    McpThreads.start(server, "asked", () -> answer(method, params, id));
  }

  private void answer(String method, JsonNode params, JsonNode id) {
    try {
      reply(id, requests.answer(method, params), null);
    } catch (ServerRequests.Rejected e) {
      reply(id, null, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // nobody does that
    } catch (RuntimeException e) {
      var name = e.getClass().getSimpleName();
      reply(id, null, new ServerRequests.Rejected(ServerRequests.INTERNAL, "failed with " + name));
    } finally {
      asked.decrementAndGet();
    }
  }

  private void reply(
      JsonNode id, @Nullable JsonNode result, ServerRequests.@Nullable Rejected why) {
    var message = Wire.object();
    message.put("jsonrpc", "2.0");
    message.set("id", id);
    if (result != null) message.set("result", result);
    if (why != null) {
      message.putObject("error").put("code", why.code()).put("message", why.getMessage());
    }
    if (isOpen()) transport.send(message, -1, Map.of());
  }

  /// Counts what makes no sense: an answer that nobody waits for, such as one that comes late.
  private void onStrange() {
    if (strange.incrementAndGet() == STRANGE_MAX) {
      end("it sent " + STRANGE_MAX + " messages that belong to nothing");
    }
  }

  @Override
  public void onUndelivered(long id, RequestFailed.Why why) {
    var waiting = pending.get(id);
    if (waiting != null) waiting.end(new PendingRequest.Event.Lost(why));
  }

  @Override
  public void onClosed(String why) {
    end(why);
  }

  private void end(String why) {
    try (var _ = ending.hold()) {
      if (closed != null) return;
      closed = why;
    }
    for (var waiting : pending.values()) {
      var lost = new RequestFailed.Lost(waiting.method(), why);
      waiting.end(new PendingRequest.Event.Lost(lost));
    }
    transport.close();
  }

  @Override
  public void close() {
    end("it was closed");
  }
}
