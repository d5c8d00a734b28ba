package dev.superstep.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// One connection of a command through a relay: reads the head of the request, decides, and then
/// passes bytes on in both directions. One thread.
final class RelayConnection {
  private static final int HEAD_MAX = 16_384;
  private static final int COPY_BYTES = 65_536;
  private static final int CONNECT_MILLIS = 15_000;

  private final SocketChannel client;
  private final List<RelayHost> hosts;
  private final Consumer<NetworkRelay.Attempt> report;

  RelayConnection(
      SocketChannel client, List<RelayHost> hosts, Consumer<NetworkRelay.Attempt> report) {
    this.client = client;
    this.hosts = hosts;
    this.report = report;
  }

  /// A request to pass on.
  ///
  /// @param head what the host is sent first; empty for a tunnel
  private record Request(String host, int port, String head, boolean isTunnel) {}

  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  void run() throws IOException {
    var head = readHead();
    Request request;
    try {
      request = parse(head);
    } catch (Refused e) {
      answer("400 Bad Request", e.getMessage());
      return;
    }
    var asked = request.host() + ":" + request.port();
    try (var host = connect(request)) {
      report.accept(new NetworkRelay.Attempt(asked, true, ""));
      relay(request, host);
    } catch (Refused e) {
      report.accept(new NetworkRelay.Attempt(asked, false, e.getMessage()));
      answer("403 Forbidden", "superstep: " + e.getMessage());
    }
  }

  /// Reads to the empty line and not a byte further: what follows is for the host.
  private String readHead() throws IOException {
    var text = new StringBuilder();
    var one = ByteBuffer.allocate(1);
    while (text.length() < HEAD_MAX && text.indexOf("\r\n\r\n", text.length() - 4) < 0) {
      if (client.read(one.clear()) < 0) throw new IOException("the request has no end");
      text.append((char) (one.get(0) & 0xff));
    }
    return text.toString();
  }

  private static Request parse(String head) throws Refused {
    var lines = head.split("\r\n");
    var words = lines[0].split(" ");
    if (words.length != 3 || !head.endsWith("\r\n\r\n")) throw new Refused("no request of HTTP");
    try {
      if (words[0].equals("CONNECT")) {
        var target = URI.create("tunnel://" + words[1]);
        if (target.getHost() == null || target.getPort() < 0) throw new Refused("no host and port");
        return new Request(target.getHost(), target.getPort(), "", true);
      }
      return plain(words, lines);
    } catch (IllegalArgumentException _) {
      throw new Refused("its address cannot be read");
    }
  }

  private static Request plain(String[] words, String[] lines) throws Refused {
    var target = URI.create(words[1]);
    boolean isHttp = "http".equals(target.getScheme());
    if (!isHttp || target.getHost() == null || target.getRawUserInfo() != null) {
      throw new Refused("only whole addresses that begin with http:// are taken");
    }
    int port = target.getPort() < 0 ? 80 : target.getPort();
    var path =
        target.getRawPath() == null || target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    var query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    var head = new StringBuilder(words[0] + " " + path + query + " HTTP/1.1\r\n");
    head.append("Host: ").append(target.getRawAuthority()).append("\r\nConnection: close\r\n");
    for (int i = 1; i < lines.length; i++) {
      var name = lines[i].split(":", 2)[0].strip().toLowerCase(Locale.ROOT);
      boolean isOfHop =
          name.equals("host") || name.equals("connection") || name.startsWith("proxy-");
      if (!isOfHop) head.append(lines[i]).append("\r\n");
    }
    return new Request(target.getHost(), port, head.append("\r\n").toString(), false);
  }

  private SocketChannel connect(Request request) throws Refused {
    var matching =
        hosts.stream().filter(one -> one.allows(request.host(), request.port())).toList();
    if (matching.isEmpty()) throw new Refused("the host is not allowed");
    boolean mayBePrivate = matching.stream().anyMatch(RelayHost::mayBePrivate);
    var addresses = resolve(request.host());
    for (var address : addresses) {
      if (!mayBePrivate && NetworkAddresses.isPrivate(address)) {
        throw new Refused("the name stands for an address of this machine or its network");
      }
    }
    return connect(addresses, request.port());
  }

  private static InetAddress[] resolve(String host) throws Refused {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException _) {
      throw new Refused("there is no such host");
    }
  }

  private static SocketChannel connect(InetAddress[] addresses, int port) throws Refused {
    for (var address : addresses) {
      try {
        var channel = SocketChannel.open();
        try {
          channel.socket().connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
          return channel;
        } catch (IOException e) {
          channel.close();
          throw e;
        }
      } catch (IOException _) {
        continue; // the next one may answer
      }
    }
    throw new Refused("the host does not answer");
  }

  private void relay(Request request, SocketChannel host) throws IOException {
    if (request.isTunnel()) send("HTTP/1.1 200 Connection established\r\n\r\n");
    else writeAll(host, request.head().getBytes(StandardCharsets.ISO_8859_1));
    var up = Thread.ofVirtual().name("superstep-relay-up").start(() -> copy(client, host));
    copy(host, client);
    try {
      up.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(SocketChannel from, SocketChannel to) {
    var buffer = ByteBuffer.allocate(COPY_BYTES);
    try {
      while (from.read(buffer.clear()) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) to.write(buffer);
      }
      to.shutdownOutput();
    } catch (IOException _) {
      close(from);
      close(to);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException _) {
      return; // it is gone
    }
  }

  private void answer(String status, String why) throws IOException {
    var body = why + "\n";
    send(
        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(status, body.length(), body));
  }

  private void send(String text) throws IOException {
    writeAll(client, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void writeAll(SocketChannel to, byte[] bytes) throws IOException {
    Channels.newOutputStream(to).write(bytes);
  }
}
