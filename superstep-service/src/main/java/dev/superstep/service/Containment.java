package dev.superstep.service;

import dev.superstep.json.Json;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Compares JSON by its parts, as the operator `@>` of PostgreSQL does.
final class Containment {
  // What it reads was checked when it came in.
  private static final int NESTING_MAX = 1_000;
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(NESTING_MAX)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Containment() {}

  static JsonNode tree(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// Returns true if a value has everything that a part has.
  static boolean contains(JsonNode whole, JsonNode part) {
    if (part.isObject()) return whole.isObject() && hasFields(whole, part);
    if (part.isArray()) return whole.isArray() && hasElements(whole, part);
    if (part.isNumber()) return whole.isNumber() && isSameNumber(whole, part);
    return whole.equals(part);
  }

  private static boolean hasFields(JsonNode whole, JsonNode part) {
    for (var field : part.properties()) {
      var there = whole.get(field.getKey());
      if (there == null || !contains(there, field.getValue())) return false;
    }
    return true;
  }

  private static boolean hasElements(JsonNode whole, JsonNode part) {
    for (var wanted : part) {
      boolean isThere = false;
      for (var element : whole) isThere |= contains(element, wanted);
      if (!isThere) return false;
    }
    return true;
  }

  private static boolean isSameNumber(JsonNode a, JsonNode b) {
    return a.decimalValue().compareTo(b.decimalValue()) == 0;
  }
}
