package dev.superstep.server.internal.http;

import dev.superstep.server.log.RequestLog;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Authenticator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A server with some routes, and clients of it: a proper one, and bare sockets.
final class RunningServer implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;
  final BlockingQueue<RequestLog.Served> served = new LinkedBlockingQueue<>();
  private final JettyServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  private RunningServer(Routes routes, ServerOptions options, Authenticator authenticator) {
    try {
      server =
          JettyServer.start(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              options.http(),
              new Dispatcher(routes, authenticator, options, true, served::add));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static RunningServer of(Routes routes) {
    return of(routes, ServerOptions.defaults());
  }

  static RunningServer of(Routes routes, HttpLimits limits) {
    return of(routes, ServerOptions.defaults().withHttp(limits));
  }

  static RunningServer of(Routes routes, ServerOptions options) {
    return of(routes, options, Authenticator.nobody());
  }

  static RunningServer of(Routes routes, ServerOptions options, Authenticator authenticator) {
    return new RunningServer(routes, options, authenticator);
  }

  int port() {
    return server.port();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
  }

  HttpResponse<String> get(String path, String... headers) throws Exception {
    var request = request(path);
    if (headers.length > 0) request.headers(headers);
    return send(request);
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    var request = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) request.headers(headers);
    return send(request);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /// Opens a connection and sends lines of a request, which end with an empty one.
  Socket open(String... lines) throws IOException {
    var socket = connect();
    socket.getOutputStream().write(text(List.of(lines)).getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /// Sends what is no request of a proper client, and reads all that comes back.
  String raw(String... lines) throws IOException {
    try (var socket = open(lines)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  RequestLog.Served nextServed() throws InterruptedException {
    var next = served.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    if (next == null) throw new AssertionError("no request has ended");
    return next;
  }

  private static String text(List<String> lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
