package dev.superstep.server.endpoint;

import dev.superstep.json.SuperstepException;

/// A refusal of an [Endpoint], which the client gets as status and text.
public final class EndpointRefused extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final int status;

  /// @param status from 400 to 599
  /// @param message for the client
  public EndpointRefused(int status, String message) {
    super("server.endpoint-refused", message);
    this.status = status;
  }

  /// The status of HTTP.
  public int status() {
    return status;
  }
}
