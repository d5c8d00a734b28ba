package dev.superstep.sandbox;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;

/// Sockets outside of a sandbox that count the bytes that reach them.
final class EscapeListeners implements AutoCloseable {
  private final ServerSocketChannel tcp;
  private final DatagramSocket udp;
  private final ServerSocketChannel stream;
  private final Process datagram;

  private EscapeListeners(
      ServerSocketChannel tcp, DatagramSocket udp, ServerSocketChannel stream, Process datagram) {
    this.tcp = tcp;
    this.udp = udp;
    this.stream = stream;
    this.datagram = datagram;
  }

  static EscapeListeners open(Path folder) throws IOException {
    var loopback = InetAddress.getByName("127.0.0.1");
    var tcp = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
    var udp = new DatagramSocket(0, loopback);
    var stream = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    stream.bind(UnixDomainSocketAddress.of(folder.resolve("stream")));
    tcp.configureBlocking(false);
    stream.configureBlocking(false);
    // Java has no datagrams of this kind. It prints a line when it listens, and the bytes at its
    // end.
    var program =
        "use Socket; $| = 1; socket(S, PF_UNIX, SOCK_DGRAM, 0); bind(S, sockaddr_un($ARGV[0]));"
            + " print \"ready\\n\"; <STDIN>; my $n = 0;"
            + " while (defined recv(S, my $b, 99, 0x40)) { $n += length $b } print \"$n\\n\";";
    var datagram =
        new ProcessBuilder("perl", "-e", program, folder.resolve("datagram").toString()).start();
    if (!"ready".equals(datagram.inputReader().readLine())) throw new IOException("no listener");
    return new EscapeListeners(tcp, udp, stream, datagram);
  }

  int tcp() throws IOException {
    return ((InetSocketAddress) tcp.getLocalAddress()).getPort();
  }

  int udp() {
    return udp.getLocalPort();
  }

  /// The bytes that have arrived. What connects without a byte counts as one.
  long heard() throws IOException {
    long heard = accepted(tcp) + accepted(stream);
    udp.setSoTimeout(1);
    try {
      var packet = new DatagramPacket(new byte[99], 99);
      udp.receive(packet);
      heard += packet.getLength();
    } catch (SocketTimeoutException _) {
      heard += 0;
    }
    try (var end = datagram.outputWriter()) {
      end.write("\n");
    }
    return heard + Long.parseLong(datagram.inputReader().readLine());
  }

  private static long accepted(ServerSocketChannel server) throws IOException {
    try (var client = server.accept()) {
      return client == null ? 0 : Math.max(1, client.read(ByteBuffer.allocate(99)));
    }
  }

  @Override
  public void close() throws IOException {
    datagram.destroyForcibly();
    tcp.close();
    udp.close();
    stream.close();
  }
}
