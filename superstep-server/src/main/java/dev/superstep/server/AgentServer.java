package dev.superstep.server;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.server.internal.api.studio.StudioAssets;
import dev.superstep.server.internal.http.JettyServer;
import dev.superstep.service.ServiceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// Serves graphs and agents over HTTP, until it is closed. Safe for many threads.
///
/// ```java
/// try (var server = AgentServer.on(checkpointer, documents)
///     .serving(ServedGraph.of(desk))
///     .start(2024)) {
///   server.awaitStop();
/// }
/// ```
public final class AgentServer implements AutoCloseable {
  private final JettyServer http;
  private final ServerParts parts;
  private final Duration drain;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);

  AgentServer(JettyServer http, ServerParts parts, Duration drain) {
    this.http = http;
    this.parts = parts;
    this.drain = drain;
  }

  /// Begins a server on stores, which the caller closes after it.
  ///
  /// @param documents what the service keeps beside the threads
  public static AgentServerBuilder on(Checkpointer checkpointer, ServiceStore documents) {
    return new AgentServerBuilder(checkpointer, documents);
  }

  /// Returns whether this build has the studio, which needs npm when it is built.
  public static boolean hasStudio() {
    return StudioAssets.isBuilt();
  }

  /// The port on which it listens.
  public int port() {
    return http.port();
  }

  /// The address for clients on this machine.
  public URI address() {
    try {
      var address = http.address();
      var host = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
      var text = host.getHostAddress();
      return URI.create("http://" + (text.contains(":") ? "[" + text + "]" : text) + ":" + port());
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  /// The number of runs that this process works on now.
  public int runsAtWork() {
    return parts.runsAtWork();
  }

  /// Waits until it was closed, by whichever thread.
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  /// Stops: refuses new runs, lets running supersteps end and be saved for as long as the options
  /// say, and ends its connections.
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) return;
    try {
      parts.drain(drain);
      http.close();
    } finally {
      stopped.countDown();
    }
  }

  @Override
  public String toString() {
    return "AgentServer[" + (isClosed.get() ? "closed" : address().toString()) + "]";
  }
}
