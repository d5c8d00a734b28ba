package dev.superstep.mcp.internal.transport;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.BoundedLines;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.sandbox.SandboxProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with a child process, one message on a line. The process ends with the transport, and
/// with it everything that it started.
public final class StdioTransport implements Transport {
  private static final int GOING_MAX = 256;
  private static final int NOISE_MAX = 1_000;
  private static final int COMPLAINTS_KEPT = 8_000;
  private static final Duration GRACE = Duration.ofMillis(500);

  private final String server;
  private final SandboxProcess process;
  private final Wire wire;
  private final int lineMax;
  private final BlockingQueue<String> going = new ArrayBlockingQueue<>(GOING_MAX);
  private final Mutex saying = new Mutex();
  private final StringBuilder complaints = new StringBuilder();
  private @Nullable Listener listener;
  private volatile boolean isClosed;

  /// A transport to a process.
  public StdioTransport(String server, SandboxProcess process, MessageLimits limits) {
    this.server = server;
    this.process = process;
    this.wire = new Wire(limits.messageBytes(), limits.depth());
    this.lineMax = limits.messageBytes();
  }

  @Override
  public void open(Listener hears) {
    listener = hears;
    McpThreads.startPlatform(server, "read", () -> read(hears));
    McpThreads.startPlatform(server, "write", this::write);
    McpThreads.startPlatform(server, "errors", this::listen);
  }

  private void read(Listener hears) {
    var why = "it closed its output";
    try (var in = process.output()) {
      var lines = new BoundedLines(in, lineMax);
      int noise = 0;
      for (var line = lines.next(); line != null; line = lines.next()) {
        var message = wire.read(line);
        if (message != null && (message.isObject() || message.isArray())) {
          hears.onMessage(message);
        } else if (!line.isBlank() && ++noise == NOISE_MAX) {
          why = "it wrote " + NOISE_MAX + " lines that are no messages";
          break;
        }
      }
    } catch (BoundedLines.TooLong e) {
      why = String.valueOf(e.getMessage());
    } catch (IOException _) {
      why = "it ended";
    }
    var said = complaints();
    hears.onClosed(said.isEmpty() ? why : why + "; its errors end with `" + tail(said) + "`");
  }

  private static String tail(String said) {
    var last = said.strip();
    return dev.superstep.tool.ToolError.quote(last.substring(Math.max(0, last.length() - 200)));
  }

  private void write() {
    try (var out = process.input()) {
      for (var line = going.take(); !line.isEmpty(); line = going.take()) {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException | InterruptedException _) {
      return; // its reader hears of the end
    }
  }

  /// Keeps the end of what it says on its error output, and reads the rest so that it is not held
  /// up.
  private void listen() {
    var bytes = new byte[4096];
    try (InputStream in = process.errors()) {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        keep(new String(bytes, 0, count, StandardCharsets.UTF_8));
      }
    } catch (IOException _) {
      return; // closed
    }
  }

  private void keep(String said) {
    try (var _ = saying.hold()) {
      complaints.append(said);
      int over = complaints.length() - COMPLAINTS_KEPT;
      if (over > 0) complaints.delete(0, over);
    }
  }

  @Override
  public void send(ObjectNode message, long id, Map<String, String> mirrored) {
    // A server that asks more than it reads gets no more answers.
    if (going.offer(Wire.write(message)) || id < 0 || listener == null) return;
    var why = "it reads nothing, and %d messages wait for it".formatted(GOING_MAX);
    listener.onUndelivered(id, new RequestFailed.Lost(message.path("method").asString(""), why));
  }

  @Override
  public void onInitialized(String revision) {
    // Nothing depends on it.
  }

  @Override
  public String complaints() {
    try (var _ = saying.hold()) {
      return complaints.toString();
    }
  }

  @Override
  public void forget(long id) {
    // Its answer is one that nobody waits for.
  }

  /// Lets its input be closed, as the protocol wants, and kills what is still there after a moment.
  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    // By the thread that writes: it may be held up by a server that reads nothing.
    going.clear();
    var _ = going.offer("");
    try {
      var _ = process.await(GRACE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    process.close();
  }
}
