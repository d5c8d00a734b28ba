package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.http.Fields;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A command of a client. Immutable.
///
/// @param params of the method; without fields if the client sent none
record ProtocolCommand(long id, String method, Fields params) {
  private static final long ID_MAX = (1L << 53) - 1;

  /// Reads a command.
  ///
  /// @throws ProtocolFailure if it is none
  static ProtocolCommand read(JsonNode json) {
    var id = id(json);
    var method = json.path("method");
    if (id.isEmpty() || !method.isString()) {
      throw bad("A command must be an object with a whole number `id` and a string `method`.");
    }
    var params = json.path("params");
    if (!Fields.isNone(params) && !params.isObject()) {
      throw bad("The `params` of a command must be an object.");
    }
    return new ProtocolCommand(id.get(), method.stringValue(), Fields.of(params));
  }

  /// The id of something that may be a command.
  static Optional<Long> id(JsonNode json) {
    var id = json.path("id");
    boolean isId = id.isIntegralNumber() && id.canConvertToLong();
    return isId && id.longValue() >= 0 && id.longValue() <= ID_MAX
        ? Optional.of(id.longValue())
        : Optional.empty();
  }

  private static ProtocolFailure bad(String why) {
    return new ProtocolFailure(ProtocolFailure.Code.INVALID_ARGUMENT, why);
  }
}
