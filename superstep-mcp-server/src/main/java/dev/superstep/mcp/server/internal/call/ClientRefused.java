package dev.superstep.mcp.server.internal.call;

/// The failure of a client to answer what it was asked: it refused, or did not answer in time.
public final class ClientRefused extends Exception {
  private static final long serialVersionUID = 1;

  ClientRefused(String message) {
    super(message);
  }
}
