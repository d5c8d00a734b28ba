package dev.superstep.server.internal.wire;

import dev.superstep.server.internal.http.HttpFailure;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Fields of JSON that stands somewhere within what a client sent, such as a message of an input. A
/// failure names the place. Unlike in [dev.superstep.server.internal.http.Fields], a text may be
/// empty.
final class PlacedFields {
  private PlacedFields() {}

  /// A failure of a field.
  static HttpFailure failure(String where, String why) {
    return new HttpFailure(422, where + " " + why);
  }

  /// A text, or empty if there is none.
  static Optional<String> text(JsonNode from, String name, String where) {
    var value = from.path(name);
    if (value.isMissingNode() || value.isNull()) return Optional.empty();
    if (value.isString()) return Optional.of(value.stringValue());
    throw failure(where + "." + name, "must be a string");
  }

  /// A text that must be there.
  static String required(JsonNode from, String name, String where) {
    return text(from, name, where)
        .orElseThrow(() -> failure(where, "needs the string `" + name + "`"));
  }

  /// The first text that is there of some names.
  static Optional<String> either(JsonNode from, String name, String other, String where) {
    return text(from, name, where).or(() -> text(from, other, where));
  }
}
