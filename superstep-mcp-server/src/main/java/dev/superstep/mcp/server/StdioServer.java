package dev.superstep.mcp.server;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.BoundedLines;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with one client by two streams, one message on a line. For one thread.
final class StdioServer {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final int BATCH_MAX = 100;
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Protocol protocol;
  private final McpHostLimits limits;
  private final OutputStream out;
  private final Mutex writing = new Mutex();
  private final Phaser atWork = new Phaser(1);
  private final ClientSession session;
  private volatile boolean isBroken;

  StdioServer(Protocol protocol, McpHostLimits limits, OutputStream out) {
    this.protocol = protocol;
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

  private void take(@org.jspecify.annotations.Nullable JsonNode message) {
    if (message == null) {
      send(Rpc.error(null, Rpc.PARSE_ERROR, "The line is no JSON, or nested too deep."));
    } else if (message.isArray() && isBatch(message)) {
      batch(message);
    } else if (!Protocol.isMessage(message)) {
      send(Protocol.malformed());
    } else if (!Protocol.isRequest(message)) {
      protocol.take(message, session);
    } else if (Protocol.SLOW.contains(Wire.text(message, "method"))) {
      atWork.register();
      Thread.ofVirtual().name("superstep-mcp-request").start(() -> reply(message));
    } else {
      var reply = protocol.answer(message, session, this::send);
      if (reply != null) send(reply);
    }
  }

  private void reply(JsonNode message) {
    try {
      var reply = protocol.answer(message, session, this::send);
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

  /// What is at work gets a moment to end, and is interrupted then.
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
