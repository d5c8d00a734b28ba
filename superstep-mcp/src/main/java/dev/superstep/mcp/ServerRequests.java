package dev.superstep.mcp;

import tools.jackson.databind.JsonNode;

/// Answers what a server asks for by itself. Safe for many threads.
interface ServerRequests {
  int METHOD_NOT_FOUND = -32601;
  int INVALID_PARAMS = -32602;
  int INTERNAL = -32603;

  /// An error that a server is told.
  final class Rejected extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;

    Rejected(int code, String message) {
      super(message);
      this.code = code;
    }

    int code() {
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
