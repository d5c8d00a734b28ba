package dev.superstep.agui;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The changes from one JSON value to another as a JSON Patch (RFC 6902).
final class StateDelta {
  private StateDelta() {}

  /// The operations that make `after` of `before`; none if they are equal.
  static ArrayNode between(JsonNode before, JsonNode after) {
    var operations = JsonNodeFactory.instance.arrayNode();
    compare("", before, after, operations);
    return operations;
  }

  private static void compare(String at, JsonNode before, JsonNode after, ArrayNode operations) {
    if (before.equals(after)) return;
    if (before.isObject() && after.isObject()) {
      for (var name : before.propertyNames()) {
        if (!after.has(name)) operations.addObject().put("op", "remove").put("path", at(at, name));
      }
      after.forEachEntry((name, value) -> {
        if (before.has(name)) compare(at(at, name), before.path(name), value, operations);
        else operations.addObject().put("op", "add").put("path", at(at, name)).set("value", value);
      });
    } else if (before.isArray() && after.isArray() && isBeginOf(before, after)) {
      for (int i = before.size(); i < after.size(); i++) {
        operations.addObject().put("op", "add").put("path", at + "/-").set("value", after.path(i));
      }
    } else {
      operations.addObject().put("op", "replace").put("path", at).set("value", after);
    }
  }

  private static boolean isBeginOf(JsonNode before, JsonNode after) {
    if (before.size() > after.size()) return false;
    for (int i = 0; i < before.size(); i++) {
      if (!before.path(i).equals(after.path(i))) return false;
    }
    return true;
  }

  private static String at(String parent, String name) {
    return parent + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
