package dev.superstep.server.internal.wire;

import dev.superstep.message.Message;
import dev.superstep.server.internal.http.HttpFailure;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages in the form that LangChain's clients know.
public final class MessageJson {
  private MessageJson() {}

  /// Reads a message: an object with `type` or `role`, a string, or a pair of role and text.
  ///
  /// @param where names it in the failure
  /// @throws HttpFailure 422 that says what is wrong
  public static Message read(JsonNode json, String where) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// A whole message.
  public static ObjectNode write(Message message) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// A piece of the text of a message that a model is saying.
  public static ObjectNode chunk(String id, String text) {
    throw new UnsupportedOperationException("not built yet");
  }
}
