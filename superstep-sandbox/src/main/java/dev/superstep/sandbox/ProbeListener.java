package dev.superstep.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// A port of this machine that takes connections, for probes to try.
final class ProbeListener implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());

  ProbeListener() throws IOException {}

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
