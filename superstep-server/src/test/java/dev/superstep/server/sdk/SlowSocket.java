package dev.superstep.server.sdk;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A bare connection that reads nothing until it is asked to, and has little room for what comes.
/// For one thread.
record SlowSocket(Socket socket) implements AutoCloseable {
  private static final int BUFFER = 4_096;
  private static final int SMALL = 126;

  static SlowSocket to(URI server) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(BUFFER);
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
    return new SlowSocket(socket);
  }

  void send(String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /// Sends a text message of a WebSocket, masked by zeros.
  void sendText(String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.US_ASCII);
    var frame = new ByteArrayOutputStream();
    frame.write(0x81);
    if (bytes.length < SMALL) {
      frame.write(0x80 | bytes.length);
    } else {
      frame.write(0x80 | SMALL);
      frame.write(bytes.length >> 8);
      frame.write(bytes.length & 0xff);
    }
    frame.write(new byte[4]);
    frame.write(bytes);
    socket.getOutputStream().write(frame.toByteArray());
  }

  /// Waits until the server answers.
  int firstByte() throws IOException {
    return socket.getInputStream().read();
  }

  /// All that still comes, until the connection is closed or broken.
  private byte[] rest() throws IOException {
    var all = new ByteArrayOutputStream();
    var some = new byte[BUFFER];
    try {
      for (int n = socket.getInputStream().read(some); n >= 0; ) {
        all.write(some, 0, n);
        n = socket.getInputStream().read(some);
      }
    } catch (java.net.SocketException _) {
      // Broken: what was there before counts.
    }
    return all.toByteArray();
  }

  /// The server-sent events that came whole.
  List<String> events() throws IOException {
    var lines =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(rest()), StandardCharsets.UTF_8));
    var all = new ArrayList<String>();
    var last = "";
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      // An empty line ends an event; chunks of the transfer have lines of their own.
      if (line.isEmpty() && last.startsWith("data: ")) all.add(last.substring(6));
      last = line;
    }
    return all;
  }

  /// The text messages of a WebSocket that came whole.
  List<String> messages() throws IOException {
    var bytes = rest();
    int head = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") + 4;
    var in = new DataInputStream(new ByteArrayInputStream(bytes, head, bytes.length - head));
    var all = new ArrayList<String>();
    var text = new ByteArrayOutputStream();
    try {
      while (true) {
        int first = in.readUnsignedByte();
        long length = in.readUnsignedByte();
        if (length == SMALL) length = in.readUnsignedShort();
        else if (length == SMALL + 1) length = in.readLong();
        var payload = in.readNBytes((int) length);
        if (payload.length < length) return all;
        int kind = first & 0x0f;
        if (kind > 1) continue;
        text.write(payload);
        if ((first & 0x80) == 0) continue;
        all.add(text.toString(StandardCharsets.UTF_8));
        text.reset();
      }
    } catch (EOFException _) {
      return all;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
