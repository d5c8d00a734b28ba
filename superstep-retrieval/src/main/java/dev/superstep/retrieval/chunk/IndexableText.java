package dev.superstep.retrieval.chunk;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Checks for texts, so that every index can store them and return them unchanged.
final class IndexableText {
  private IndexableText() {}

  /// @throws InvalidDocument if the text has half of a surrogate pair
  static void check(String what, String id, String part, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new InvalidDocument(
          what,
          id,
          "has half of a surrogate pair in its %s, which is no character. Cut texts elsewhere."
              .formatted(part));
    }
  }

  /// @throws InvalidDocument if it is blank, too
  static void checkName(String what, String part, String text) {
    if (text.isBlank()) {
      throw new InvalidDocument(what, text, "has a blank %s. Give it one.".formatted(part));
    }
    check(what, text, part, text);
  }

  /// A copy in the order of its keys, so that what is made of it is the same in every process.
  static Map<String, String> sorted(String what, String id, Map<String, String> metadata) {
    var sorted = new TreeMap<String, String>();
    metadata.forEach((key, value) -> {
      if (key.isBlank()) {
        throw new InvalidDocument(what, id, "has metadata under a blank key. Give it a name.");
      }
      check(what, id, "metadata", key);
      check(what, id, "metadata", value);
      sorted.put(key, value);
    });
    return Collections.unmodifiableMap(sorted);
  }
}
