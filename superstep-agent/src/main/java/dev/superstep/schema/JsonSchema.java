package dev.superstep.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Says which JSON values are good, to a model beforehand and to us afterwards. Made from a Java
/// type, it accepts exactly the shape that the type's [dev.superstep.json.Codec] writes. Immutable,
/// safe for many threads.
public final class JsonSchema {
  private static final ClassValue<JsonSchema> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected JsonSchema computeValue(Class<?> type) {
          return of(ClosedSchemas.of(type));
        }
      };

  private final Json json;
  private final @Nullable FlatObject flat;
  private volatile @Nullable Schema rules;

  private JsonSchema(Json json, @Nullable Schema rules, @Nullable FlatObject flat) {
    this.json = json;
    this.rules = rules;
    this.flat = flat;
  }

  /// Loads the validator when it is first used: a program whose models keep to flat arguments never
  /// needs it.
  private static final class Validator {
    static final SchemaRegistry REGISTRY =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private Validator() {}

    static Schema compiled(JsonNode schema) {
      return REGISTRY.getSchema(schema);
    }
  }

  /// The schema of a closed type, with its [Description]s and [Limits].
  ///
  /// @throws dev.superstep.json.UnsupportedType if the type has no codec
  /// @throws IllegalArgumentException if a limit stands where it means nothing
  public static JsonSchema of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /// The schema of the values of a codec; one that accepts everything, if the codec was not made
  /// from a type that has a schema. It is for those who show it: what the codec decodes counts.
  public static JsonSchema of(Codec<?> codec) {
    return of(ClosedSchemas.of(codec));
  }

  /// The schema of an object that has these parameters of a method, as of a record with such
  /// components.
  ///
  /// @param parameters by the names of the properties
  /// @throws dev.superstep.json.UnsupportedType if the type of one has no codec
  /// @throws IllegalArgumentException if a limit stands where it means nothing
  public static JsonSchema of(SequencedMap<String, Parameter> parameters) {
    return of(ClosedSchemas.of(parameters));
  }

  private static JsonSchema of(JsonNode tree) {
    var json = Json.unchecked(tree.toString());
    return new JsonSchema(json, null, FlatObject.of(tree));
  }

  /// A schema from outside, such as one that a tool server tells. References to other documents are
  /// refused, never fetched.
  ///
  /// @throws MalformedSchema if it is not a schema
  public static JsonSchema parse(Json json) {
    var tree = tree(json);
    if (!tree.isObject()) throw new MalformedSchema("it is not a JSON object", null);
    try {
      var rules = SchemaLocation.of(SpecificationVersion.DRAFT_2020_12.getDialectId());
      var violations = Violations.of(Validator.REGISTRY.getSchema(rules).validate(tree));
      if (!violations.isEmpty()) {
        throw new MalformedSchema(violations.getFirst().sentence().replaceFirst("\\.$", ""), null);
      }
      var schema = Validator.compiled(tree);
      schema.initializeValidators();
      return new JsonSchema(json, schema, FlatObject.of(tree));
    } catch (com.networknt.schema.SchemaException e) {
      throw new MalformedSchema(String.valueOf(e.getMessage()), e);
    }
  }

  /// The schema itself.
  public Json json() {
    return json;
  }

  /// Returns true if a text is known to be JSON that has no violations; false if only [#check] can
  /// tell.
  public boolean accepts(String text) {
    return flat != null && flat.accepts(text);
  }

  /// The violations of the schema by a value; empty if there are none.
  ///
  /// @throws MalformedJson if the text is no JSON
  public List<Violation> check(Json value) {
    return Violations.of(rules().validate(tree(value)));
  }

  private Schema rules() {
    var made = rules;
    if (made == null) rules = made = Validator.compiled(tree(json));
    return made;
  }

  @Override
  public String toString() {
    return json.text();
  }

  private static JsonNode tree(Json json) {
    try {
      return JsonMapper.shared().readTree(json.text());
    } catch (JacksonException _) {
      // `Json.parse` says what is wrong, in our words.
      return JsonMapper.shared().readTree(Json.parse(json.text()).text());
    }
  }
}
