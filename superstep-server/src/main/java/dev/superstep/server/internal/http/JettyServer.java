package dev.superstep.server.internal.http;

import dev.superstep.server.options.HttpLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// The HTTP server of Jetty, with a virtual thread for each request. Safe for many threads.
public final class JettyServer implements AutoCloseable {
  private static final int RESPONSE_HEADER_BYTES = 16 * 1024;
  private static final int ACCEPT_QUEUE = 1_024;

  private final Server server;
  private final ServerConnector connector;

  private JettyServer(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  /// Starts to answer.
  ///
  /// @param address where to listen; port 0 for any
  /// @throws IOException if it cannot listen there
  public static JettyServer start(
      InetSocketAddress address, HttpLimits limits, Dispatcher dispatcher) throws IOException {
    var threads = new QueuedThreadPool();
    threads.setName("superstep-http");
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("superstep-request-", 0).factory()));
    var server = new Server(threads);
    server.setErrorHandler(new JsonErrors());
    server.setStopTimeout(0);
    var connector = new ServerConnector(server, 1, 1, http(limits));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(limits.stall().toMillis());
    // Many clients may come at once, as after a restart.
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
    server.setHandler(new Requests(dispatcher, ServerWebSocketContainer.ensure(server)));
    try {
      server.start();
    } catch (IOException cannotListen) {
      stop(server);
      throw cannotListen;
    } catch (Exception failed) {
      stop(server);
      throw new IOException("the HTTP server does not start", failed);
    }
    return new JettyServer(server, connector);
  }

  private static HttpConnectionFactory http(HttpLimits limits) {
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(limits.headerBytes());
    http.setResponseHeaderSize(RESPONSE_HEADER_BYTES);
    // Paths are checked by `RequestPath`, which takes them as they came.
    http.setUriCompliance(UriCompliance.UNSAFE);
    return new HttpConnectionFactory(http);
  }

  /// The port on which it listens.
  public int port() {
    return connector.getLocalPort();
  }

  /// The address on which it listens.
  public InetAddress address() throws IOException {
    return InetAddress.getByName(connector.getHost());
  }

  /// Takes no more connections; those that are open stay.
  public void stopAccepting() {
    connector.close();
  }

  /// Ends all connections.
  @Override
  public void close() {
    stop(server);
  }

  private static void stop(Server server) {
    try {
      server.stop();
    } catch (Exception failed) {
      throw new IllegalStateException("the HTTP server does not stop", failed);
    }
  }

  /// Gives requests to the dispatcher, each on its virtual thread.
  private static final class Requests extends Handler.Abstract {
    private final Dispatcher dispatcher;

    private final ServerWebSocketContainer sockets;

    Requests(Dispatcher dispatcher, ServerWebSocketContainer sockets) {
      this.dispatcher = dispatcher;
      this.sockets = sockets;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      // A handler may wait for long; what is stuck while it reads or writes ends all the same.
      request.addIdleTimeoutListener(_ -> false);
      var exchange = new JettyExchange(request, response, callback, sockets);
      dispatcher.handle(exchange);
      exchange.complete();
      return true;
    }
  }

  /// The answers to what is no proper HTTP, in the form of other refusals.
  private static final class JsonErrors extends ErrorHandler {
    private static final String JSON = "application/json";

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
      response.write(true, body(response.getStatus()), callback);
      return true;
    }

    @Override
    @SuppressWarnings("removal") // What is to come instead of it is not there yet.
    public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
      fields.put(new HttpField(HttpHeader.CONTENT_TYPE, JSON));
      return body(status);
    }

    private static ByteBuffer body(int status) {
      var text = "{\"detail\":\"The request is no proper HTTP (" + status + ").\"}";
      return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
