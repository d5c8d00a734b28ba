package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Fields;
import java.util.ArrayList;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares and takes parts of threads, by the paths of a search.
final class ThreadExtracts {
  private static final int PATHS_MAX = 10;
  private static final Pattern PART = Pattern.compile("([^.\\[\\]]+)|\\[(-?\\d{1,9})]");

  private ThreadExtracts() {}

  /// Returns whether a value has every field of an object with an equal value, objects by their
  /// fields.
  static boolean contains(JsonNode value, JsonNode part) {
    if (!(part instanceof ObjectNode object)) return value.equals(part);
    for (var field : object.properties()) {
      if (!contains(value.path(field.getKey()), field.getValue())) return false;
    }
    return true;
  }

  /// The parts of a thread: by alias the value at a path as `values.messages[-1].content`, null if
  /// there is none.
  static ObjectNode of(ObjectNode thread, ObjectNode wanted) {
    if (wanted.size() > PATHS_MAX) {
      throw Fields.bad("extract", "must have at most " + PATHS_MAX + " paths");
    }
    var all = thread.objectNode();
    wanted.forEachEntry((alias, path) -> {
      if (!path.isString()) throw Fields.bad("extract." + alias, "must be a path");
      all.set(alias, at(thread, path.stringValue()));
    });
    return all;
  }

  private static JsonNode at(JsonNode from, String path) {
    var parts = new ArrayList<String>();
    var matcher = PART.matcher(path);
    JsonNode at = from;
    while (matcher.find()) {
      parts.add(matcher.group());
      at = matcher.group(1) != null ? at.path(matcher.group(1)) : item(at, matcher.group(2));
    }
    return at.isMissingNode() || parts.isEmpty() ? NullNode.getInstance() : at;
  }

  private static JsonNode item(JsonNode at, String index) {
    if (!(at instanceof ArrayNode list)) return at.path(0);
    int place = Integer.parseInt(index);
    return list.path(place < 0 ? list.size() + place : place);
  }
}
