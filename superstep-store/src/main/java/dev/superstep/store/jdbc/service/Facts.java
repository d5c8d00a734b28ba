package dev.superstep.store.jdbc.service;

import dev.superstep.json.Json;
import java.math.BigDecimal;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON as PostgreSQL's `jsonb` can hold it. Strings with a U+0000 or half a character, and numbers
/// of a size that it refuses, get another form; different values have different forms, so that one
/// contains another if and only if the forms do.
final class Facts {
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

  private static final char ESCAPE = '\uE000';
  private static final int SCALE_MAX = 1_000;

  private Facts() {}

  static JsonNode tree(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// The form as text.
  static String of(JsonNode value) {
    return MAPPER.writeValueAsString(form(value));
  }

  private static JsonNode form(JsonNode value) {
    var nodes = MAPPER.getNodeFactory();
    if (value.isObject()) {
      var object = nodes.objectNode();
      value
          .properties()
          .forEach(field -> object.set(escaped(field.getKey()), form(field.getValue())));
      return object;
    }
    if (value.isArray()) {
      var array = nodes.arrayNode();
      value.forEach(element -> array.add(form(element)));
      return array;
    }
    if (value.isString()) return nodes.stringNode(escaped(value.stringValue()));
    if (value.isNumber()) return number(value);
    return value;
  }

  private static JsonNode number(JsonNode value) {
    var number = value.decimalValue();
    boolean isUsual = Math.abs((long) number.precision() - number.scale()) < SCALE_MAX;
    if (isUsual && Math.abs(number.scale()) < SCALE_MAX) return value;
    var shortest = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    if (number.signum() == 0) return MAPPER.getNodeFactory().numberNode(0);
    var text = shortest.unscaledValue() + "e" + -(long) shortest.scale();
    return MAPPER.getNodeFactory().stringNode(ESCAPE + "n" + text);
  }

  private static String escaped(String text) {
    if (isUsual(text)) return text;
    var escaped = new StringBuilder();
    text.codePoints()
        .forEach(point -> {
          boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
          if (point == 0 || isHalf || point == ESCAPE) {
            escaped.append(ESCAPE).append("%04x".formatted(point));
          } else {
            escaped.appendCodePoint(point);
          }
        });
    return escaped.toString();
  }

  private static boolean isUsual(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || c == ESCAPE || Character.isSurrogate(c)) return false;
    }
    return true;
  }
}
