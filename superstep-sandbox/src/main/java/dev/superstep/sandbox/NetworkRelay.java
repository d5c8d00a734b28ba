package dev.superstep.sandbox;

import java.util.List;

/// A proxy for HTTP on a socket in the file system, which connects to allowed hosts only. Safe for
/// many threads.
public final class NetworkRelay implements AutoCloseable {
  private final List<String> allowed;

  private NetworkRelay(List<String> allowed) {
    this.allowed = allowed;
  }

  /// The allowed hosts, each with a port.
  public List<String> allowed() {
    return allowed;
  }

  @Override
  public void close() {}
}
