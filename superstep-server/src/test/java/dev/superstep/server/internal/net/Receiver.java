package dev.superstep.server.internal.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A server on this machine that answers as it is told, and keeps what it got.
public final class Receiver implements AutoCloseable {
  public final List<Request> requests = new CopyOnWriteArrayList<>();
  private final ServerSocket listening;
  private final Function<Request, String> answer;

  /// A request.
  public record Request(String line, Map<String, String> headers, String body) {}

  private Receiver(Function<Request, String> answer) {
    this.answer = answer;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /// Starts a receiver.
  ///
  /// @param answer all that is sent; empty for none, until the client goes
  public static Receiver answering(Function<Request, String> answer) {
    return new Receiver(answer);
  }

  public static Receiver answering(String status) {
    return answering(_ -> "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
  }

  public String url() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  public int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (true) {
      try {
        var socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var request = read(socket.getInputStream());
      requests.add(request);
      var text = answer.apply(request);
      if (text.isEmpty()) {
        var _ = socket.getInputStream().read();
      }
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      // The client is gone.
    }
  }

  private static Request read(InputStream in) throws IOException {
    var line = line(in);
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (var header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    var body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Request(line, headers, body);
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new IOException("it ended early");
      if (c != '\r') line.append((char) c);
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
