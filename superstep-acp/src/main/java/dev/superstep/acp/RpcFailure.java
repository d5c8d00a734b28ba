package dev.superstep.acp;

/// An error that the client gets in place of a result. Has no stack trace, since it is an answer.
final class RpcFailure extends Exception {
  static final int PARSE_ERROR = -32700;
  static final int INVALID_REQUEST = -32600;
  static final int NO_METHOD = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL = -32603;
  static final int NOT_FOUND = -32002;
  static final int BUSY = -32001;

  private static final long serialVersionUID = 1;

  private final int code;

  RpcFailure(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  static RpcFailure params(String message) {
    return new RpcFailure(INVALID_PARAMS, message);
  }

  int code() {
    return code;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
