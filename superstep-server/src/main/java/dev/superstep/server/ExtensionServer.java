package dev.superstep.server;

import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.internal.extension.ExtensionRoutes;
import dev.superstep.server.internal.http.Dispatcher;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.JettyServer;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.log.AuditLog;
import dev.superstep.server.log.RequestLog;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.Authorizer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// Serves one [ServerExtension] alone, without the API for graphs, until it is closed. Safe for
/// many threads.
public final class ExtensionServer implements AutoCloseable {
  private final JettyServer http;
  private final ServerExtension extension;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private ExtensionServer(JettyServer http, ServerExtension extension) {
    this.http = http;
    this.extension = extension;
  }

  /// Serves everybody on this machine, and nobody else.
  ///
  /// @param port 0 for any
  /// @throws IOException if it cannot listen
  public static ExtensionServer start(ServerExtension extension, int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return start(extension, address, Authenticator.nobody(), ServerOptions.defaults());
  }

  /// Serves those whom an authenticator knows. [ApiKeys] decide by their permissions what they may
  /// do; all others may do everything.
  ///
  /// @param address where it listens; port 0 for any
  /// @throws IOException if it cannot listen there
  public static ExtensionServer start(
      ServerExtension extension,
      InetSocketAddress address,
      Authenticator authenticator,
      ServerOptions options)
      throws IOException {
    boolean isLoopback = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    var authorizer =
        authenticator instanceof ApiKeys keys ? keys.permissions() : Authorizer.everything();
    var routes = new Routes();
    extension.addTo(ExtensionRoutes.alone(routes, new Guard(authorizer, AuditLog.none())));
    var dispatcher = new Dispatcher(routes, authenticator, options, isLoopback, RequestLog.none());
    extension.start();
    try {
      return new ExtensionServer(JettyServer.start(address, options.http(), dispatcher), extension);
    } catch (IOException | RuntimeException e) {
      extension.close();
      throw e;
    }
  }

  /// The port on which it listens.
  public int port() {
    return http.port();
  }

  /// The address for clients on this machine, with the path of the extension.
  public URI address() {
    return URI.create("http://127.0.0.1:" + port() + extension.path());
  }

  /// Waits until it was closed, by whichever thread.
  public void awaitStop() throws InterruptedException {
    stopped.await();
  }

  /// Ends what goes on, and all connections.
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) return;
    try {
      extension.close();
      http.close();
    } finally {
      stopped.countDown();
    }
  }

  @Override
  public String toString() {
    return "ExtensionServer[" + (isClosed.get() ? "closed" : address().toString()) + "]";
  }
}
