package dev.superstep.server.internal.api.events;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The replies to commands.
final class ProtocolReplies {
  private ProtocolReplies() {}

  /// A command was carried out.
  ///
  /// @param seq of the last event of the thread before that
  static ObjectNode success(long id, JsonNode result, long seq) {
    var json = JsonNodeFactory.instance.objectNode().put("type", "success").put("id", id);
    json.set("result", result);
    json.putObject("meta").put("applied_through_seq", seq);
    return json;
  }

  /// A command was refused.
  static ObjectNode error(long id, ProtocolFailure failure) {
    return error(failure).put("id", id);
  }

  /// Something that is no command was refused.
  static ObjectNode error(ProtocolFailure failure) {
    var json = JsonNodeFactory.instance.objectNode().put("type", "error").putNull("id");
    json.put("error", failure.code().text());
    return json.put("message", String.valueOf(failure.getMessage()));
  }
}
