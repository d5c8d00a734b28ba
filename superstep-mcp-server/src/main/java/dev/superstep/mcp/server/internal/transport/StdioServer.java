package dev.superstep.mcp.server.internal.transport;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.BoundedLines;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.call.ClientSession;
import dev.superstep.mcp.server.internal.method.ModernProtocol;
import dev.superstep.mcp.server.internal.method.Protocol;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with one client by two streams, one message on a line. For one thread.
public final class StdioServer {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final int BATCH_MAX = 100;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Protocol protocol;
  private final ModernProtocol modern;
  private final McpHostLimits limits;
  private final OutputStream out;
  private final Mutex writing = new Mutex();
  private final Phaser atWork = new Phaser(1);
  private final ClientSession session;
  private volatile boolean isBroken;

  StdioServer(ServerCore host, McpHostLimits limits, OutputStream out) {
    this.protocol = host.protocol();
    this.modern = host.modern();
    this.limits = limits;
    this.out = out;
    this.session = new ClientSession("stdio", Protocol.LOCAL, this::send, limits);
  }

  ClientSession session() {
    return session;
  }

  /// Serves until the client closes its side.
  void serve(InputStream in) {
    var wire = new Wire(limits.messageBytes(), limits.depth());
    var lines = new BoundedLines(in, limits.messageBytes());
    try {
      for (var line = lines.next(); line != null && !isBroken; line = lines.next()) {
        if (!line.isBlank()) take(wire.read(line));
      }
    } catch (BoundedLines.TooLong e) {
      send(Rpc.error(null, Rpc.INVALID_REQUEST, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      LOG.debug("The client is gone", e);
    }
    end();
  }

  private void take(@Nullable JsonNode message) {
    if (message == null) {
      send(Rpc.error(null, Rpc.PARSE_ERROR, "The line is not JSON, or it is nested too deeply."));
    } else if (message.isArray() && isBatch(message)) {
      batch(message);
    } else if (!Protocol.isMessage(message)) {
      send(Protocol.malformed());
    } else if (!Protocol.isRequest(message)) {
      protocol.take(message, session);
    } else if (isSlow(message)) {
      atWork.register();
      Thread.ofVirtual().name("superstep-mcp-request").start(() -> reply(message));
    } else {
      var reply = answer(message);
      if (reply != null) send(reply);
    }
  }

  private static boolean isSlow(JsonNode message) {
    var method = Wire.text(message, "method");
    return ModernProtocol.isModern(message)
        ? ModernProtocol.STREAMED.contains(method)
        : Protocol.SLOW.contains(method);
  }

  private @Nullable ObjectNode answer(JsonNode message) {
    if (!ModernProtocol.isModern(message)) return protocol.answer(message, session, this::send);
    // So that the client can cancel it.
    var key = Protocol.key(message.path("id"));
    if (session.begin(key) == null) {
      var id = message.path("id");
      return Rpc.error(id, Rpc.INVALID_REQUEST, "Another request with this id is at work.");
    }
    try {
      return modern.answer(message, Protocol.LOCAL, this::send);
    } finally {
      session.end(key);
    }
  }

  private void reply(JsonNode message) {
    try {
      var reply = answer(message);
      if (reply != null) send(reply);
    } finally {
      atWork.arriveAndDeregister();
    }
  }

  /// Revision 2025-03-26 has batches.
  private boolean isBatch(JsonNode message) {
    return session.revision().equals("2025-03-26")
        && !message.isEmpty()
        && message.size() <= BATCH_MAX;
  }

  private void batch(JsonNode all) {
    atWork.register();
    Thread.ofVirtual()
        .name("superstep-mcp-batch")
        .start(() -> {
          try {
            var replies = JsonNodeFactory.instance.arrayNode();
            for (var one : all) {
              if (!Protocol.isMessage(one)) replies.add(Protocol.malformed());
              else if (!Protocol.isRequest(one)) protocol.take(one, session);
              else {
                var reply = protocol.answer(one, session, this::send);
                if (reply != null) replies.add(reply);
              }
            }
            if (!replies.isEmpty()) write(replies);
          } finally {
            atWork.arriveAndDeregister();
          }
        });
  }

  private void send(ObjectNode message) {
    write(message);
  }

  private void write(JsonNode message) {
    var bytes = (Wire.write(message) + "\n").getBytes(StandardCharsets.UTF_8);
    try (var _ = writing.hold()) {
      if (isBroken) return;
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      isBroken = true;
      LOG.debug("The client takes nothing any more", e);
    }
  }

  /// Gives calls at work a moment to end, and interrupts them then.
  private void end() {
    session.stopAsking();
    int phase = atWork.arrive();
    try {
      atWork.awaitAdvanceInterruptibly(phase, GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      LOG.debug("Requests are at work that nobody waits for any more");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    session.close();
  }
}
