package dev.superstep.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The schema of an object whose properties are scalars of any value, as the arguments of most
/// tools are. It accepts in one pass over the text, and never refuses: the validator judges what it
/// does not accept. Immutable.
///
/// @param required the names of properties that must be there
record FlatObject(Map<String, Kind> properties, Set<String> required) {
  // No text within it passes a limit for JSON from outside.
  private static final int LENGTH_MAX = 500;

  private static final Set<String> KEYWORDS =
      Set.of("type", "properties", "required", "additionalProperties", "description");
  private static final Set<String> PROPERTY_KEYWORDS = Set.of("type", "description");

  /// A type of scalars.
  enum Kind {
    STRING,
    INTEGER,
    NUMBER,
    BOOLEAN;

    static @Nullable Kind of(JsonNode type) {
      if (!type.isString()) return null;
      return switch (type.asString()) {
        case "string" -> STRING;
        case "integer" -> INTEGER;
        case "number" -> NUMBER;
        case "boolean" -> BOOLEAN;
        default -> null;
      };
    }

    boolean accepts(JsonToken value) {
      return switch (this) {
        case STRING -> value == JsonToken.VALUE_STRING;
        case INTEGER -> value == JsonToken.VALUE_NUMBER_INT;
        case NUMBER -> value.isNumeric();
        case BOOLEAN -> value.isBoolean();
      };
    }
  }

  /// The form of a schema, or null if it says more than this can.
  static @Nullable FlatObject of(JsonNode schema) {
    if (!KEYWORDS.containsAll(schema.propertyNames())) return null;
    if (!schema.path("type").asString("").equals("object")) return null;
    var others = schema.path("additionalProperties");
    if (!others.isMissingNode() && !others.isBoolean()) return null;
    var properties = new HashMap<String, Kind>();
    for (var property : schema.path("properties").properties()) {
      var its = property.getValue();
      var kind = Kind.of(its.path("type"));
      if (kind == null || !PROPERTY_KEYWORDS.containsAll(its.propertyNames())) return null;
      properties.put(property.getKey(), kind);
    }
    var required = new HashSet<String>();
    for (var name : schema.path("required")) required.add(name.asString());
    return new FlatObject(Map.copyOf(properties), Set.copyOf(required));
  }

  /// Returns true if the text is one JSON value that the schema is known to accept.
  boolean accepts(String text) {
    if (text.length() > LENGTH_MAX) return false;
    try (var parser = JsonMapper.shared().createParser(text)) {
      return parser.nextToken() == JsonToken.START_OBJECT
          && accepts(parser)
          && parser.nextToken() == null;
    } catch (JacksonException _) {
      return false;
    }
  }

  private boolean accepts(JsonParser parser) {
    var seen = new HashSet<String>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      var name = parser.currentName();
      var kind = properties.get(name);
      var value = parser.nextToken();
      if (kind == null || !kind.accepts(value) || !seen.add(name)) return false;
    }
    return parser.currentToken() == JsonToken.END_OBJECT && seen.containsAll(required);
  }
}
