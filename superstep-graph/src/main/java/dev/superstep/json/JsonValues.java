package dev.superstep.json;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
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
      return JsonText.copy(parser);
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
