package dev.superstep.server.endpoint;

import dev.superstep.json.Json;
import java.util.Map;
import java.util.Optional;

/// The answer of an [Endpoint]. Immutable.
public sealed interface EndpointReply {
  /// A status with a JSON value, or without any body.
  record Body(int status, Optional<Json> json, Map<String, String> headers)
      implements EndpointReply {
    public Body {
      headers = Map.copyOf(headers);
    }
  }

  /// Server-sent events.
  record Events(EventSource source, Map<String, String> headers) implements EndpointReply {
    public Events {
      headers = Map.copyOf(headers);
    }
  }

  /// A JSON value with status 200.
  static EndpointReply json(Json value) {
    return new Body(200, Optional.of(value), Map.of());
  }

  /// A status without a body.
  static EndpointReply status(int status) {
    return new Body(status, Optional.empty(), Map.of());
  }
}
