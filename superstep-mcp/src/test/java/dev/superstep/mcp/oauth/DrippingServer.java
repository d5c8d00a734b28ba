package dev.superstep.mcp.oauth;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/// A server that answers each request at once with headers, and then with a byte a second for ever.
public final class DrippingServer implements AutoCloseable {
  private final ServerSocket socket;
  private final String head;
  private final CountDownLatch left = new CountDownLatch(1);

  /// @param head the status line and further headers
  public DrippingServer(String head) throws IOException {
    this.socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    this.head = head;
    Thread.ofVirtual().start(this::serve);
  }

  /// Its address.
  public URI address() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/mcp");
  }

  /// Is at zero when a client has closed its connection.
  public CountDownLatch left() {
    return left;
  }

  private void serve() {
    while (!socket.isClosed()) {
      try {
        var client = socket.accept();
        Thread.ofVirtual().start(() -> drip(client));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void drip(Socket client) {
    try (client) {
      var out = client.getOutputStream();
      out.write((head + "\r\nContent-Length: 100000\r\n\r\n{").getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < 600; i++) {
        out.write(' ');
        out.flush();
        Thread.sleep(1_000);
      }
    } catch (IOException | InterruptedException _) {
      left.countDown();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
