package dev.superstep.server.internal.http;

/// The failure of a request, which the client gets as its status and its message. Has no stack
/// trace, since it is an answer.
public final class HttpFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  /// @param status from 400 to 599
  public HttpFailure(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /// The status of HTTP.
  public int status() {
    return status;
  }
}
