package dev.superstep.workspace;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A GET over a connection of its own to an address that was checked: HTTP/1.1, and TLS that proves
/// the host's name. The JDK's client looks up names by itself and takes no address, so between a
/// check and its connection a name could come to stand for another machine. One thread; closing it
/// from another one ends it.
final class PinnedRequest implements AutoCloseable {
  private static final int HEAD_MAX = 65_536;
  private static final int INTERIM_MAX = 8;
  private static final int CONNECT_MILLIS_MAX = 10_000;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");
  private static final Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,15})[ \\t]*(?:;.*)?");

  private final URI uri;
  private final List<InetAddress> addresses;
  private final int most;
  private volatile Socket open = new Socket();
  private volatile boolean isClosed;

  /// An answer.
  ///
  /// @param headers by name in lower case; the first of each
  record Answer(int status, Map<String, String> headers, BoundedPrefix body) {
    Answer {
      headers = Map.copyOf(headers);
    }

    Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name));
    }
  }

  /// @param addresses where to connect to, the first that answers
  /// @param most the most of the body that is read
  PinnedRequest(URI uri, List<InetAddress> addresses, int most) {
    this.uri = uri;
    this.addresses = List.copyOf(addresses);
    this.most = most;
  }

  private boolean isSecure() {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  private int port() {
    if (uri.getPort() >= 0) return uri.getPort();
    return isSecure() ? 443 : 80;
  }

  /// Sends it and reads the answer.
  Answer answer(SSLContext tls) throws IOException {
    connect();
    var socket = isSecure() ? secured(tls) : open;
    socket.getOutputStream().write(request().getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    var in = new BufferedInputStream(socket.getInputStream());
    for (int interim = 0; interim < INTERIM_MAX; interim++) {
      var head = new Head(in);
      int status = status(head.line());
      var headers = headers(head);
      // 1xx says that the answer is to come.
      if (status >= 200) return new Answer(status, headers, body(in, status, headers));
    }
    throw new IOException("the server does not come to its answer");
  }

  private void connect() throws IOException {
    var failures = new IOException("no address of the host can be reached");
    for (var address : addresses) {
      var socket = new Socket();
      open = socket;
      try {
        if (isClosed) throw new IOException("it was closed");
        socket.connect(new InetSocketAddress(address, port()), CONNECT_MILLIS_MAX);
        return;
      } catch (IOException e) {
        socket.close();
        failures.addSuppressed(e);
        if (isClosed) break;
      }
    }
    throw failures;
  }

  private Socket secured(SSLContext tls) throws IOException {
    var host = uri.getHost().replaceAll("^\\[|]$", "");
    var socket = (SSLSocket) tls.getSocketFactory().createSocket(open, host, port(), true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private String request() {
    var plain = URI.create(uri.toASCIIString());
    var path =
        plain.getRawPath() == null || plain.getRawPath().isEmpty() ? "/" : plain.getRawPath();
    var query = plain.getRawQuery() == null ? "" : "?" + plain.getRawQuery();
    var port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return String.join(
        "\r\n",
        "GET " + path + query + " HTTP/1.1",
        "Host: " + plain.getHost() + port,
        "User-Agent: superstep",
        "Accept: text/*, */*;q=0.5",
        "Accept-Encoding: identity",
        "Connection: close",
        "",
        "");
  }

  /// The lines before a body, which are bounded together.
  private static final class Head {
    private final InputStream in;
    private int left = HEAD_MAX;

    Head(InputStream in) {
      this.in = in;
    }

    String line() throws IOException {
      var line = new ByteArrayOutputStream();
      while (true) {
        int b = in.read();
        if (b < 0) throw new IOException("the answer ends in its head");
        if (left-- == 0) throw new IOException("the head of the answer is too long");
        if (b == '\n') break;
        line.write(b);
      }
      var text = line.toString(StandardCharsets.ISO_8859_1);
      return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
  }

  private static int status(String line) throws IOException {
    var status = STATUS.matcher(line);
    if (!status.matches()) throw new IOException("the server does not speak HTTP");
    return Integer.parseInt(status.group(1));
  }

  private static Map<String, String> headers(Head head) throws IOException {
    var headers = new TreeMap<String, String>();
    for (var line = head.line(); !line.isEmpty(); line = head.line()) {
      int colon = line.indexOf(':');
      if (colon <= 0) continue; // no header
      var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      headers.putIfAbsent(name, line.substring(colon + 1).strip());
    }
    return headers;
  }

  private BoundedPrefix body(InputStream in, int status, Map<String, String> headers)
      throws IOException {
    if (status == 204 || status == 304) return BoundedPrefix.of(new byte[0], false);
    var coding = headers.getOrDefault("transfer-encoding", "identity").toLowerCase(Locale.ROOT);
    if (coding.equals("chunked")) return chunks(in);
    if (!coding.equals("identity")) {
      throw new IOException("the answer is sent in a way that is unknown here: " + coding);
    }
    var length = headers.get("content-length");
    if (length == null) {
      var bytes = in.readNBytes(most + 1);
      return BoundedPrefix.of(first(bytes), bytes.length > most);
    }
    if (!length.matches("\\d{1,18}")) throw new IOException("the answer has no length");
    long whole = Long.parseLong(length);
    var bytes = in.readNBytes((int) Math.min(whole, most));
    if (bytes.length < Math.min(whole, most)) throw new IOException("the answer ends too early");
    return BoundedPrefix.of(bytes, whole > most);
  }

  private byte[] first(byte[] bytes) {
    return bytes.length > most ? java.util.Arrays.copyOf(bytes, most) : bytes;
  }

  private BoundedPrefix chunks(InputStream in) throws IOException {
    var pieces = new ArrayList<byte[]>();
    long left = most;
    while (true) {
      var size = SIZE.matcher(new Head(in).line());
      if (!size.matches()) throw new IOException("the answer has a piece without a size");
      long length = Long.parseLong(size.group(1), 16);
      if (length == 0) return joined(pieces, false);
      var piece = in.readNBytes((int) Math.min(length, left));
      pieces.add(piece);
      left -= piece.length;
      if (piece.length < length) {
        if (left == 0) return joined(pieces, true);
        throw new IOException("the answer ends too early");
      }
      if (!new Head(in).line().isEmpty()) throw new IOException("a piece is longer than it says");
    }
  }

  private static BoundedPrefix joined(List<byte[]> pieces, boolean isCut) {
    var all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return BoundedPrefix.of(all.toByteArray(), isCut);
  }

  /// Hangs up.
  @Override
  public void close() throws IOException {
    isClosed = true;
    open.close();
  }
}
