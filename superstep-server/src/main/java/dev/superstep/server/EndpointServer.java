package dev.superstep.server;

import dev.superstep.server.endpoint.Endpoint;
import dev.superstep.server.internal.http.Dispatcher;
import dev.superstep.server.internal.http.EndpointRoutes;
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

/// Serves one [Endpoint] alone, without the API for graphs, until it is closed. Safe for many
/// threads.
public final class EndpointServer implements AutoCloseable {
  private final JettyServer http;
  private final Endpoint endpoint;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private EndpointServer(JettyServer http, Endpoint endpoint) {
    this.http = http;
    this.endpoint = endpoint;
  }

  /// Serves everybody on this machine, and nobody else.
  ///
  /// @param port 0 for any
  /// @throws IOException if it cannot listen
  public static EndpointServer start(Endpoint endpoint, int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return start(endpoint, address, Authenticator.nobody(), ServerOptions.defaults());
  }

  /// Serves those whom an authenticator knows. [ApiKeys] decide by their permissions what they may
  /// do; all others may do everything.
  ///
  /// @param address where it listens; port 0 for any
  /// @throws IOException if it cannot listen there
  public static EndpointServer start(
      Endpoint endpoint,
      InetSocketAddress address,
      Authenticator authenticator,
      ServerOptions options)
      throws IOException {
    boolean isLoopback = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    var authorizer =
        authenticator instanceof ApiKeys keys ? keys.permissions() : Authorizer.everything();
    var routes = new Routes();
    EndpointRoutes.add(endpoint, new Guard(authorizer, AuditLog.none()), routes);
    var dispatcher = new Dispatcher(routes, authenticator, options, isLoopback, RequestLog.none());
    endpoint.start();
    try {
      return new EndpointServer(JettyServer.start(address, options.http(), dispatcher), endpoint);
    } catch (IOException | RuntimeException e) {
      endpoint.close();
      throw e;
    }
  }

  /// The port on which it listens.
  public int port() {
    return http.port();
  }

  /// The address of the endpoint for clients on this machine.
  public URI address() {
    return URI.create("http://127.0.0.1:" + port() + endpoint.path());
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
      endpoint.close();
      http.close();
    } finally {
      stopped.countDown();
    }
  }

  @Override
  public String toString() {
    return "EndpointServer[" + (isClosed.get() ? "closed" : address().toString()) + "]";
  }
}
