package dev.superstep.acp;

import dev.superstep.lock.Mutex;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Speaks JSON-RPC with one editor by two streams, one message on a line, in both directions. One
/// thread reads; everything else is safe for many.
final class Connection {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.acp");
  private static final int ID_MAX = 200;

  private final OutputStream out;
  private final AcpLimits limits;
  private final Mutex writing = new Mutex();
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, Asked> asked = new ConcurrentHashMap<>();
  private final Map<String, Work> atWork = new ConcurrentHashMap<>();
  private volatile boolean isOver;

  Connection(OutputStream out, AcpLimits limits) {
    this.out = out;
    this.limits = limits;
  }

  /// The work of a request.
  ///
  /// @param call makes the result
  /// @param isLong whether it runs beside the reading of further messages
  /// @param cancel stops it
  /// @param after is done once the result was sent
  record Work(Call call, boolean isLong, Runnable cancel, Runnable after) {
    static Work quick(Call call) {
      return new Work(call, false, () -> {}, () -> {});
    }

    static Work slow(Call call) {
      return new Work(call, true, () -> {}, () -> {});
    }
  }

  /// Makes the result of a request.
  interface Call {
    JsonNode result() throws RpcFailure, InterruptedException;
  }

  /// The methods of this side. Called by the thread that reads, in the order of the messages.
  interface Methods {
    Work begin(String method, JsonNode params) throws RpcFailure;

    void heard(String method, JsonNode params);
  }

  /// The editor answered by an error, or not at all.
  static final class NotAnswered extends Exception {
    private static final long serialVersionUID = 1;

    NotAnswered(String why) {
      super(why, null, false, false);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /// A request to the editor.
  final class Asked {
    private final long id;
    private final CompletableFuture<JsonNode> reply = new CompletableFuture<>();

    private Asked(long id) {
      this.id = id;
    }

    /// Waits for the result.
    JsonNode await(Duration most) throws NotAnswered, InterruptedException {
      try {
        return awaited(most);
      } finally {
        asked.remove(id);
      }
    }

    /// Waits for the result, whose effect must not be left alone.
    ///
    /// @param late gets a result that comes when nobody waits any more, on the thread that reads
    JsonNode await(Duration most, Consumer<JsonNode> late)
        throws NotAnswered, InterruptedException {
      boolean hasEnded = false;
      try {
        var result = awaited(most);
        hasEnded = true;
        return result;
      } finally {
        var _ = reply.whenComplete((_, _) -> asked.remove(id));
        if (!hasEnded) {
          var _ = reply.thenAccept(late);
        }
      }
    }

    private JsonNode awaited(Duration most) throws NotAnswered, InterruptedException {
      try {
        return reply.get(most.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof NotAnswered why ? why : new NotAnswered("it failed");
      } catch (TimeoutException _) {
        throw new NotAnswered("no answer came in time");
      }
    }

    /// Lets the result be dropped when it comes.
    void forget() {
      asked.remove(id);
    }

    /// Ends the wait.
    void giveUp(String why) {
      reply.completeExceptionally(new NotAnswered(why));
    }
  }

  // --- Reading ---

  /// Reads until the editor closes its side.
  void serve(InputStream in, Methods methods) {
    var wire = new Wire(limits);
    var lines = new BoundedLines(in, limits.messageBytes());
    try {
      for (var line = lines.next(); line != null && !isOver; line = lines.next()) {
        if (line.isTooLong()) {
          refuse(
              null,
              RpcFailure.INVALID_REQUEST,
              "The message has more than %,d bytes.".formatted(limits.messageBytes()));
        } else if (!line.text().isBlank()) {
          take(wire.read(line.text()), methods);
        }
      }
    } catch (IOException e) {
      LOG.debug("The editor is gone", e);
    }
    isOver = true;
    asked.values().forEach(one -> one.giveUp("the editor is gone"));
  }

  private void take(@Nullable JsonNode message, Methods methods) {
    if (message == null) {
      refuse(null, RpcFailure.PARSE_ERROR, "The line is not JSON, or it is nested too deeply.");
      return;
    }
    var method = message.path("method");
    var id = message.path("id");
    if (!message.isObject() || (message.has("id") && !isId(id))) {
      refuse(null, RpcFailure.INVALID_REQUEST, "The line is not a message of JSON-RPC 2.0.");
    } else if (method.isMissingNode() && (message.has("result") || message.has("error"))) {
      replied(message);
    } else if (!method.isString() || !Wire.text(message, "jsonrpc").equals("2.0")) {
      refuse(id, RpcFailure.INVALID_REQUEST, "The line is not a message of JSON-RPC 2.0.");
    } else if (id.isMissingNode()) {
      notified(method.stringValue(), message.path("params"), methods);
    } else {
      requested(message, methods);
    }
  }

  private static boolean isId(JsonNode id) {
    return (id.isString() && id.stringValue().length() <= ID_MAX)
        || (id.isIntegralNumber() && id.canConvertToLong());
  }

  private void replied(JsonNode message) {
    var id = message.path("id");
    var one = id.isIntegralNumber() ? asked.get(id.longValue()) : null;
    if (one == null) {
      LOG.debug("An answer matches no request: {}", id);
      return;
    }
    if (message.has("error")) {
      one.giveUp("the editor says: " + Wire.text(message.path("error"), "message"));
    } else {
      one.reply.complete(message.path("result"));
    }
  }

  private void notified(String method, JsonNode params, Methods methods) {
    if (method.equals("$/cancel_request")) {
      var work = atWork.get(key(params.path("requestId")));
      if (work != null) work.cancel().run();
      return;
    }
    try {
      methods.heard(method, params);
    } catch (RuntimeException e) {
      LOG.warn("A notification `{}` could not be dealt with", Wire.cut(method, ID_MAX), e);
    }
  }

  private void requested(JsonNode message, Methods methods) {
    var id = message.path("id");
    var key = key(id);
    try {
      if (atWork.containsKey(key)) {
        throw new RpcFailure(
            RpcFailure.INVALID_REQUEST, "Another request with this id is at work.");
      }
      if (atWork.size() >= limits.requests()) {
        throw new RpcFailure(
            RpcFailure.BUSY,
            "There are %d requests at work. Wait for one.".formatted(limits.requests()));
      }
      var work = methods.begin(message.path("method").stringValue(), message.path("params"));
      atWork.put(key, work);
      if (work.isLong()) {
        Thread.ofVirtual().name("superstep-acp-request").start(() -> answer(id, key, work));
      } else {
        answer(id, key, work);
      }
    } catch (RpcFailure e) {
      refuse(id, e.code(), e.text());
    } catch (RuntimeException e) {
      refuse(id, e);
    }
  }

  private static String key(JsonNode id) {
    return Wire.text(id);
  }

  private void answer(JsonNode id, String key, Work work) {
    try {
      var result = work.call().result();
      atWork.remove(key);
      var reply = message();
      reply.set("id", id);
      reply.set("result", result);
      send(reply);
      work.after().run();
    } catch (RpcFailure e) {
      refuse(id, e.code(), e.text());
    } catch (InterruptedException _) {
      refuse(id, RpcFailure.INTERNAL, "The process ends.");
    } catch (RuntimeException e) {
      refuse(id, e);
    } finally {
      atWork.remove(key);
    }
  }

  /// The number of requests of the editor that have no result yet.
  int requestsAtWork() {
    return atWork.size();
  }

  // --- Writing ---

  private static ObjectNode message() {
    return Wire.object().put("jsonrpc", "2.0");
  }

  /// Its message may tell what is for nobody but the log.
  private void refuse(JsonNode id, RuntimeException e) {
    LOG.error("A request failed", e);
    refuse(id, RpcFailure.INTERNAL, "It failed. The log, on the error output, tells why.");
  }

  private void refuse(@Nullable JsonNode id, int code, String text) {
    var reply = message();
    boolean isKnown = id != null && !id.isMissingNode();
    reply.set("id", isKnown ? id : JsonNodeFactory.instance.nullNode());
    reply.putObject("error").put("code", code).put("message", Wire.whole(text));
    send(reply);
  }

  /// Tells the editor something.
  void tell(String method, ObjectNode params) {
    var note = message().put("method", method);
    note.set("params", params);
    send(note);
  }

  /// Begins to ask the editor something.
  ///
  /// @throws NotAnswered if it has too many open questions, or is gone
  Asked ask(String method, ObjectNode params) throws NotAnswered {
    if (asked.size() >= limits.asked()) {
      throw new NotAnswered("the editor has %d open requests".formatted(limits.asked()));
    }
    var one = new Asked(ids.incrementAndGet());
    asked.put(one.id, one);
    if (isOver) one.giveUp("the editor is gone");
    var request = message().put("id", one.id).put("method", method);
    request.set("params", params);
    send(request);
    return one;
  }

  private void send(ObjectNode message) {
    var bytes = (Wire.text(message) + "\n").getBytes(StandardCharsets.UTF_8);
    try (var _ = writing.hold()) {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      isOver = true;
      asked.values().forEach(one -> one.giveUp("the editor is gone"));
      LOG.debug("The editor no longer takes messages", e);
    }
  }
}
