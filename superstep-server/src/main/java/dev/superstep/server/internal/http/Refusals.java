package dev.superstep.server.internal.http;

import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/// The form of every answer that is an error: `{"detail": "..."}`, as LangGraph's server has it and
/// its clients show it.
final class Refusals {
  /// Statuses of requests that a client may send again later.
  private static final Set<Integer> LATER = Set.of(429, 503);

  /// For those that do not know when the server takes it.
  private static final String SECONDS = "5";

  private Refusals() {}

  /// The answer with a status from 400 to 599.
  static Reply reply(int status, String message) {
    return new Reply.Value(
        status, JsonNodeFactory.instance.objectNode().put("detail", message), Map.of());
  }

  /// Headers of such an answer unless it has them already: who may come again is told when.
  static Map<String, String> headers(int status) {
    return LATER.contains(status) ? Map.of("Retry-After", SECONDS) : Map.of();
  }
}
