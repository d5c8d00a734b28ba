package dev.superstep.store;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// The texts of a value that are embedded. Immutable.
record Indexing(List<JsonPointer> places) {
  private static final Indexing WHOLE = new Indexing(List.of(JsonPointer.empty()));

  static Indexing whole() {
    return WHOLE;
  }

  static Indexing at(List<String> pointers) {
    return new Indexing(pointers.stream().map(Values::pointer).toList());
  }

  /// The strings at the places, one per line.
  String text(Json value) {
    if (places.isEmpty()) return "";
    var root = Values.parse(value);
    var texts = new ArrayList<String>();
    for (var place : places) collect(root.at(place), texts);
    return String.join("\n", texts).strip();
  }

  private static void collect(JsonNode node, List<String> texts) {
    if (node.isString()) texts.add(node.stringValue());
    for (var child : node.values()) collect(child, texts);
  }
}
