package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The text that the model of an agent says at last, put together from its pieces. For one thread.
final class AnswerText {
  private final StringBuilder text = new StringBuilder();
  private String message = "";

  /// A piece for a client.
  ///
  /// @param isMore whether it goes on with what was said before; else it takes its place
  record Piece(String text, boolean isMore) {}

  /// Adds a piece of a message.
  ///
  /// @param said the piece, as `messages-tuple` has it
  /// @param place where it was said
  /// @return empty if it is none of the agent itself
  Optional<Piece> add(JsonNode said, JsonNode place) {
    boolean isPiece = said.path("type").asString("").equals("AIMessageChunk");
    // What graphs inside say is for the agent, and not for its clients.
    boolean isInside = place.path("checkpoint_ns").asString("").contains("|");
    if (!isPiece || isInside) return Optional.empty();
    var content = said.path("content");
    var piece = content.isString() ? content.stringValue() : Trees.parts(content);
    if (piece.isEmpty()) return Optional.empty();
    var id = said.path("id").asString("");
    boolean isMore = !text.isEmpty() && id.equals(message);
    if (!isMore) text.setLength(0);
    message = id;
    text.append(piece);
    return Optional.of(new Piece(piece, isMore));
  }

  /// Returns whether the pieces are a text, whole.
  boolean isWhole(String answer) {
    return !text.isEmpty() && text.toString().equals(answer);
  }
}
