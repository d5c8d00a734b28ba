package dev.superstep.rag.internal.value;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads and writes JSON objects by field.
public final class JsonFields {
  private static final Codec<Map<String, Json>> OBJECT = Codec.mapOf(Json.class);

  private JsonFields() {}

  public static Map<String, Json> of(Json object) {
    return OBJECT.decode(object);
  }

  public static Json object(Map<String, Json> fields) {
    return Json.parse(
        fields.entrySet().stream()
            .map(e -> Json.string(e.getKey()).text() + ":" + e.getValue().text())
            .collect(Collectors.joining(",", "{", "}")));
  }

  /// The field of a value as text; empty if it has none.
  public static String text(Codec<Object> codec, Object value, String field) {
    try {
      var json = of(codec.encode(value)).getOrDefault(field, Json.ofNull());
      return plain(json);
    } catch (MalformedJson _) {
      return "";
    }
  }

  /// The field of a value as a number; 0 if it has none.
  public static BigDecimal number(Codec<Object> codec, Object value, String field) {
    try {
      return new BigDecimal(text(codec, value, field));
    } catch (NumberFormatException _) {
      return BigDecimal.ZERO;
    }
  }

  /// The text of a JSON value: that of a string, nothing for null, else the JSON itself.
  public static String plain(Json json) {
    var text = json.text();
    if (text.equals("null")) return "";
    return text.startsWith("\"") ? json.as(String.class) : text;
  }

  /// A value as text for a model.
  public static String shown(Object value) {
    return value instanceof String text
        ? text
        : plain(value instanceof Json json ? json : Json.of(value));
  }
}
