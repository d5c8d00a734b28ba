package dev.superstep.language.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/// A JSON value as a tree. The fields of an object keep their order. Immutable.
public sealed interface JsonTree {
  /// The most digits before or after the point.
  int SCALE_MAX = 1_000;

  /// A string.
  record Text(String value) implements JsonTree {}

  /// A number, exactly as it is written.
  record Decimal(BigDecimal value) implements JsonTree {}

  /// True or false.
  record Bool(boolean value) implements JsonTree {}

  /// The value `null`.
  record Null() implements JsonTree {}

  /// An array.
  record Items(List<JsonTree> values) implements JsonTree {
    public Items {
      values = List.copyOf(values);
    }
  }

  /// An object.
  record Fields(Map<String, JsonTree> values) implements JsonTree {
    public Fields {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  static JsonTree of(String value) {
    return new Text(value);
  }

  static JsonTree of(long value) {
    return new Decimal(BigDecimal.valueOf(value));
  }

  static JsonTree of(boolean value) {
    return new Bool(value);
  }

  static JsonTree list(List<? extends JsonTree> values) {
    return new Items(List.copyOf(values));
  }

  static JsonTree texts(List<String> values) {
    return new Items(values.stream().map(JsonTree::of).toList());
  }

  static JsonTree object(Map<String, JsonTree> fields) {
    return new Fields(fields);
  }

  /// The shortest text.
  default String text() {
    var out = new StringBuilder();
    JsonWriting.compact(this, out);
    return out.toString();
  }

  /// The text with a line for each field, indented by two spaces; ends with a line break.
  default String pretty() {
    var out = new StringBuilder();
    JsonWriting.pretty(this, out, 0);
    return out.append('\n').toString();
  }

  /// Reads a text.
  ///
  /// @throws InvalidJson if it is not one JSON value, or is nested too deep
  static JsonTree parse(String text) {
    var factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(200).maxNumberLength(100).build())
            .build();
    try (var parser = factory.createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      var value = read(parser);
      if (parser.nextToken() != null) throw new InvalidJson("more follows after the value");
      return value;
    } catch (JacksonException e) {
      throw new InvalidJson(e.getOriginalMessage());
    }
  }

  private static BigDecimal bounded(BigDecimal number) {
    if (Math.abs((long) number.scale()) > SCALE_MAX) throw new InvalidJson("a number is too long");
    return number;
  }

  private static JsonTree read(JsonParser parser) {
    var token = parser.currentToken();
    if (token == null) throw new InvalidJson("the text is empty");
    return switch (token) {
      case VALUE_STRING -> new Text(parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Decimal(bounded(parser.getDecimalValue()));
      case VALUE_TRUE -> new Bool(true);
      case VALUE_FALSE -> new Bool(false);
      case VALUE_NULL -> new Null();
      case START_ARRAY -> {
        var values = new ArrayList<JsonTree>();
        while (parser.nextToken() != JsonToken.END_ARRAY) values.add(read(parser));
        yield new Items(values);
      }
      case START_OBJECT -> {
        var fields = new LinkedHashMap<String, JsonTree>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(name, read(parser));
        }
        yield new Fields(fields);
      }
      default -> throw new InvalidJson("unexpected " + token);
    };
  }
}
