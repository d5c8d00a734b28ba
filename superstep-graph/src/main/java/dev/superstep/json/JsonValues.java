package dev.superstep.json;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/// The JSON of values that are not plain records: [Json] is written as the value that it contains,
/// and numbers for which JSON has no form are refused.
final class JsonValues {
  private static final JsonFactory FACTORY = JsonMappers.copying();

  private JsonValues() {}

  static JacksonModule module() {
    var finite = new FiniteNumbers();
    var finiteFloats = new FiniteFloats();
    return new SimpleModule("superstep")
        // Else a set of an enum would lose its order.
        .addAbstractTypeMapping(Set.class, LinkedHashSet.class)
        .addSerializer(Json.class, new Writer())
        .addDeserializer(Json.class, new Reader(false))
        .addSerializer(Double.class, finite)
        .addSerializer(double.class, finite)
        .addSerializer(Float.class, finiteFloats)
        .addSerializer(float.class, finiteFloats);
  }

  /// Copies the value at which a parser stands, digit for digit.
  static Json copy(JsonParser parser) {
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
      int depth = 0;
      do {
        var token = parser.currentToken();
        // As text: the same number must stay the same JSON, however often it is stored.
        if (token.isNumeric()) generator.writeNumber(parser.getString());
        else generator.copyCurrentEventExact(parser);
        if (token.isStructStart()) depth++;
        if (token.isStructEnd()) depth--;
      } while (depth > 0 && parser.nextToken() != null);
    }
    return new Json(text.toString());
  }

  /// Copies the value at which a parser stands, with the fields of objects in the order of their
  /// names.
  static String canonical(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        var fields = new TreeMap<String, String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(name, canonical(parser));
        }
        yield fields.entrySet().stream()
            .map(field -> Json.string(field.getKey()).text() + ":" + field.getValue())
            .collect(Collectors.joining(",", "{", "}"));
      }
      case START_ARRAY -> {
        var items = new ArrayList<String>();
        while (parser.nextToken() != JsonToken.END_ARRAY) items.add(canonical(parser));
        yield String.join(",", items).transform(all -> "[" + all + "]");
      }
      default -> copy(parser).text();
    };
  }

  /// Checks text that was never checked.
  ///
  /// @throws tools.jackson.core.JacksonException if it is not exactly one JSON value
  static Json checked(String text) {
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) throw new StreamReadException(parser, "it is empty");
      var json = copy(parser);
      if (parser.nextToken() == null) return json;
      throw new StreamReadException(parser, "more text follows the first value");
    }
  }

  private static final class Writer extends ValueSerializer<Json> {
    @Override
    public void serialize(Json value, JsonGenerator out, SerializationContext context) {
      // Pasted once it is known to be JSON: other text would break the JSON around it.
      out.writeRawValue(value.checked().text());
    }
  }

  /// Reads any value. JSON null is a value like any other, but inside an optional it means absent.
  private static final class Reader extends ValueDeserializer<Json> {
    private final boolean inOptional;

    Reader(boolean inOptional) {
      this.inOptional = inOptional;
    }

    @Override
    public ValueDeserializer<?> createContextual(
        DeserializationContext context, @Nullable BeanProperty property) {
      boolean optional = property != null && property.getType().isReferenceType();
      return optional == inOptional ? this : new Reader(optional);
    }

    @Override
    public Json deserialize(JsonParser parser, DeserializationContext context) {
      return copy(parser);
    }

    @Override
    public @Nullable Object getNullValue(DeserializationContext context) {
      return inOptional ? null : Json.ofNull();
    }
  }

  /// Stands for nulls where there must be none.
  static final class RefusedNull extends ValueSerializer<Object> {
    private final String component;
    private final String instead;

    RefusedNull(String component, String instead) {
      this.component = component;
      this.instead = instead;
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializationContext context) {
      throw DatabindException.from(out, "`" + component + "` is null; use " + instead);
    }
  }

  private static final class FiniteNumbers extends ValueSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator out, SerializationContext context) {
      if (!Double.isFinite(value)) {
        throw DatabindException.from(out, "JSON has no number " + value);
      }
      out.writeNumber(value);
    }
  }

  private static final class FiniteFloats extends ValueSerializer<Float> {
    @Override
    public void serialize(Float value, JsonGenerator out, SerializationContext context) {
      if (!Float.isFinite(value)) throw DatabindException.from(out, "JSON has no number " + value);
      out.writeNumber(value);
    }
  }
}
