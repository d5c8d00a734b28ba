package dev.superstep.mcp.server;

/// An error that a client gets in place of a result. Has no stack trace, since it is an answer.
final class RpcFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;

  RpcFailure(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  static RpcFailure params(String message) {
    return new RpcFailure(Rpc.INVALID_PARAMS, message);
  }

  int code() {
    return code;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
