package dev.superstep.server.internal.net;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Sends requests to hosts that others have named. It connects to an address that an [AddressGuard]
/// has checked, follows no redirects, and takes no more time and bytes than it is given. Why this
/// is not the client of the JDK: docs/decisions/0144. Safe for many threads.
public final class OutboundHttp {
  private static final int HEAD_BYTES_MAX = 16 * 1024;
  private static final int INTERIM_MAX = 8;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int PORT_MAX = 65_535;
  private static final int FIRST_FINAL_STATUS = 200;

  private final AddressGuard guard;
  private final SSLSocketFactory tls;

  /// With the certificates that the JDK trusts.
  public OutboundHttp(AddressGuard guard) {
    this(guard, (SSLSocketFactory) SSLSocketFactory.getDefault());
  }

  OutboundHttp(AddressGuard guard, SSLSocketFactory tls) {
    this.guard = guard;
    this.tls = tls;
  }

  /// A place on the web.
  ///
  /// @param target path and query as a request has them
  record Place(boolean isSecure, String host, int port, String target) {
    String hostHeader() {
      var name = host.contains(":") ? "[" + host + "]" : host;
      return port == (isSecure ? HTTPS_PORT : HTTP_PORT) ? name : name + ":" + port;
    }
  }

  /// Checks what can be checked of an address without looking it up.
  ///
  /// @throws IllegalArgumentException if it is not one of HTTP or HTTPS
  public static void check(String url) {
    var _ = place(url);
  }

  static Place place(String url) {
    var uri = URI.create(url);
    var scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean isSecure = scheme.equals("https");
    if (!isSecure && !scheme.equals("http")) {
      throw new IllegalArgumentException("it must begin with `https://` or `http://`");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException("it must not have a user or password");
    }
    if (uri.getHost() == null) throw new IllegalArgumentException("it has no proper host");
    int port = uri.getPort() < 0 ? (isSecure ? HTTPS_PORT : HTTP_PORT) : uri.getPort();
    if (port < 1 || port > PORT_MAX) throw new IllegalArgumentException("it has no proper port");
    var ascii = URI.create(uri.toASCIIString());
    var path = ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
    var query = ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery();
    return new Place(isSecure, host(uri.getHost()), port, path + query);
  }

  private static String host(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : IDN.toASCII(host);
  }

  /// Posts JSON.
  ///
  /// @param headers without line breaks; `Content-Type` is `application/json` if it is not given
  /// @param most how long it may take as a whole
  /// @return the status
  /// @throws ForbiddenAddress if the host has an address that is not allowed
  /// @throws IOException if there is no answer in time, or it is no proper one
  public int post(String url, Map<String, String> headers, byte[] body, Duration most)
      throws IOException {
    var place = place(url);
    long end = System.nanoTime() + most.toNanos();
    var addresses = guard.addresses(place.host());
    try (var socket = connected(addresses, place.port(), end);
        var _ = new Deadline(socket, end);
        var stream = place.isSecure() ? secured(socket, place) : socket) {
      send(stream, place, headers, body);
      return status(new BufferedInputStream(stream.getInputStream()));
    } catch (IOException e) {
      if (System.nanoTime() - end >= 0) throw late(most, e);
      throw e;
    }
  }

  private static IOException late(Duration most, IOException cause) {
    var late = new SocketTimeoutException("there was no answer in " + most.toMillis() + " ms");
    late.initCause(cause);
    return late;
  }

  private static Socket connected(List<InetAddress> addresses, int port, long end)
      throws IOException {
    IOException failure = null;
    for (var address : addresses) {
      var socket = new Socket();
      try {
        long millis = Math.max(1, (end - System.nanoTime()) / 1_000_000);
        socket.connect(
            new InetSocketAddress(address, port), (int) Math.min(Integer.MAX_VALUE, millis));
        return socket;
      } catch (IOException e) {
        socket.close();
        failure = e;
      }
    }
    throw failure == null ? new IOException("the host has no address") : failure;
  }

  private SSLSocket secured(Socket socket, Place place) throws IOException {
    var secured = (SSLSocket) tls.createSocket(socket, place.host(), place.port(), true);
    var parameters = secured.getSSLParameters();
    // The certificate must be that of the name, whatever the address.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  private static void send(Socket socket, Place place, Map<String, String> headers, byte[] body)
      throws IOException {
    var head = new StringBuilder("POST " + place.target() + " HTTP/1.1\r\n");
    head.append("Host: ").append(place.hostHeader()).append("\r\n");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (!headers.containsKey("Content-Type")) head.append("Content-Type: application/json\r\n");
    head.append("Content-Length: ").append(body.length).append("\r\n");
    head.append("Connection: close\r\n\r\n");
    var out = socket.getOutputStream();
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  private static int status(InputStream in) throws IOException {
    var left = new int[] {HEAD_BYTES_MAX};
    for (int i = 0; i < INTERIM_MAX; i++) {
      int status = parsed(line(in, left));
      if (status >= FIRST_FINAL_STATUS) return status;
      // Another answer follows its headers.
      var header = line(in, left);
      while (!header.isEmpty()) header = line(in, left);
    }
    throw new IOException("it answers without an end");
  }

  private static int parsed(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new IOException("it does not answer in HTTP");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private static String line(InputStream in, int[] left) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new IOException("the answer ended early");
      if (--left[0] < 0) throw new IOException("the answer is too long");
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  /// Closes a socket when its time is over, whatever it is waiting for.
  private static final class Deadline implements AutoCloseable {
    private final Thread thread;

    Deadline(Socket socket, long end) {
      thread =
          Thread.ofVirtual().name("superstep-http-deadline").start(() -> closeLater(socket, end));
    }

    private static void closeLater(Socket socket, long end) {
      try (socket) {
        Thread.sleep(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      } catch (InterruptedException | IOException _) {
        // The request has ended before.
      }
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}
