package dev.superstep.mcp.internal.session;

import tools.jackson.databind.JsonNode;

/// Answers what a server asks for by itself. Safe for many threads.
public interface ServerRequests {
  /// Errors of JSON-RPC.
  int METHOD_NOT_FOUND = -32601;

  /// Parameters that cannot be used.
  int INVALID_PARAMS = -32602;

  /// A failure here.
  int INTERNAL = -32603;

  /// An error that a server is told.
  final class Rejected extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;

    /// An error with its number.
    public Rejected(int code, String message) {
      super(message);
      this.code = code;
    }

    /// The number.
    public int code() {
      return code;
    }
  }

  /// Answers a request.
  ///
  /// @throws Rejected if it is not done
  JsonNode answer(String method, JsonNode params) throws Rejected, InterruptedException;

  /// Hears of something. Does not wait.
  void onNotification(String method, JsonNode params);
}
