package dev.superstep.schema;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.UnsupportedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes the schema of a closed type. One thread, one type.
///
/// Own code, for no library's idea of a type is our codec's: enums by `toString`, months as
/// numbers, nulls for what is absent, and a `type` property in the cases of sealed interfaces.
final class ClosedSchemas {
  private static final Map<Class<?>, String> FORMATS =
      Map.of(
          LocalDate.class, "date",
          Instant.class, "date-time",
          OffsetDateTime.class, "date-time",
          Duration.class, "duration",
          Period.class, "duration",
          UUID.class, "uuid",
          URI.class, "uri");
  private static final Set<Class<?>> INTEGERS =
      Set.of(
          byte.class,
          short.class,
          int.class,
          long.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          BigInteger.class,
          Year.class);
  private static final Set<Class<?>> NUMBERS =
      Set.of(float.class, double.class, Float.class, Double.class, BigDecimal.class);

  /// A type as it stands in the schema: a record looks different as a case of a sealed interface.
  private record Form(Class<?> type, boolean isCase) {}

  private final Form root;
  private final Set<Form> open = new HashSet<>();
  private final Map<Form, String> recursive = new HashMap<>();
  private final ObjectNode definitions = JsonNodeFactory.instance.objectNode();

  private ClosedSchemas(Class<?> type) {
    this.root = new Form(type, false);
  }

  static ObjectNode of(Class<?> type) {
    Codec.of(type); // refuses open types, so that the rest may take a closed one for granted
    var writer = new ClosedSchemas(type);
    return writer.whole(writer.form(writer.root));
  }

  /// Of the values of a codec, if it was made from a type that has a schema; else of any value.
  static ObjectNode of(Codec<?> codec) {
    try {
      return codec.javaType().map(type -> of(type)).orElseGet(ClosedSchemas::object);
    } catch (IllegalArgumentException | UnsupportedType _) {
      return object(); // annotations of Jackson say how it is written
    }
  }

  private static ObjectNode of(Type type) {
    return switch (type) {
      case Class<?> plain -> of(plain);
      case ParameterizedType generic -> of(generic);
      default -> object();
    };
  }

  private static ObjectNode of(ParameterizedType type) {
    var arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) return orNull(of(arguments[0]));
    boolean isMap = type.getRawType() == Map.class;
    var schema = object().put("type", isMap ? "object" : "array");
    schema.set(isMap ? "additionalProperties" : "items", alone(arguments[arguments.length - 1]));
    return schema;
  }

  /// The schema of a part, which refers to nothing in the whole: any value, if it would.
  private static ObjectNode alone(Type type) {
    var schema = of(type);
    return schema.toString().contains("\"$ref\"") ? object() : schema;
  }

  /// Of a record that has the parameters as components.
  static ObjectNode of(SequencedMap<String, Parameter> parameters) {
    // No parameter can be of the type of this class.
    var writer = new ClosedSchemas(ClosedSchemas.class);
    var parts = new ArrayList<Part>();
    parameters.forEach((name, parameter) -> {
      Codec.ofType(parameter.getParameterizedType());
      var where = parameter.getDeclaringExecutable().getName() + "(" + name + ")";
      var annotations = List.of(parameter.getAnnotations());
      parts.add(new Part(name, where, parameter.getAnnotatedType(), parameter, annotations));
    });
    return writer.whole(writer.properties(parts, object().put("type", "object")));
  }

  private ObjectNode whole(ObjectNode schema) {
    if (!definitions.isEmpty()) schema.set("$defs", definitions);
    return schema;
  }

  /// A source of a property: a component of a record, or a parameter of a method.
  ///
  /// @param where for errors
  /// @param said has our annotations
  /// @param annotations where those of Jackson would be
  private record Part(
      String name,
      String where,
      AnnotatedType type,
      AnnotatedElement said,
      List<Annotation> annotations) {
    static Part of(RecordComponent one) {
      var where = one.getDeclaringRecord().getSimpleName() + "." + one.getName();
      var annotations = List.of(one.getAccessor().getAnnotations());
      return new Part(one.getName(), where, one.getAnnotatedType(), one, annotations);
    }

    boolean isRequired() {
      var isOptional =
          type.getType() instanceof ParameterizedType generic
              && generic.getRawType() == Optional.class;
      return !isOptional && !type.isAnnotationPresent(Nullable.class);
    }

    void refuseJackson() {
      for (var annotation : annotations) {
        var name = annotation.annotationType().getName();
        if (!name.startsWith("com.fasterxml.jackson.")) continue;
        throw new IllegalArgumentException(
            where
                + " has the annotation "
                + name
                + ", which a schema does not follow; name the component as it is written");
      }
    }
  }

  private ObjectNode any(AnnotatedType type) {
    if (type instanceof AnnotatedParameterizedType generic) return generic(generic);
    var schema = form(new Form((Class<?>) type.getType(), false));
    return type.isAnnotationPresent(Nullable.class) ? orNull(schema) : schema;
  }

  private ObjectNode generic(AnnotatedParameterizedType type) {
    var raw = ((ParameterizedType) type.getType()).getRawType();
    var arguments = type.getAnnotatedActualTypeArguments();
    if (raw == Optional.class) return orNull(any(arguments[0]));
    var schema = object();
    if (raw == Map.class) {
      schema.put("type", "object").set("additionalProperties", any(arguments[1]));
    } else {
      schema.put("type", "array").set("items", any(arguments[0]));
    }
    return type.isAnnotationPresent(Nullable.class) ? orNull(schema) : schema;
  }

  /// Inline, unless the type holds itself: then by reference.
  private ObjectNode form(Form form) {
    var type = form.type();
    if (type.isEnum()) return described(choice(type), type);
    if ((!type.isRecord() && !type.isSealed()) || type == Json.class) return scalar(type);
    if (!open.add(form)) return reference(form);
    var schema = described(type.isRecord() ? properties(form) : cases(type), type);
    open.remove(form);
    var name = recursive.get(form);
    if (name == null || form.equals(root)) return schema;
    definitions.set(name, schema);
    return reference(form);
  }

  private ObjectNode reference(Form form) {
    if (form.equals(root)) return object().put("$ref", "#");
    var taken = recursive.values();
    var name = form.type().getSimpleName();
    for (int n = 2; !recursive.containsKey(form) && taken.contains(name); n++) {
      name = form.type().getSimpleName() + n;
    }
    var known = recursive.putIfAbsent(form, name);
    return object().put("$ref", "#/$defs/" + (known == null ? name : known));
  }

  private ObjectNode properties(Form form) {
    var schema = object().put("type", "object");
    if (form.isCase()) {
      schema.putObject("properties").putObject("type").put("const", form.type().getSimpleName());
      schema.putArray("required").add("type");
    }
    return properties(
        Arrays.stream(form.type().getRecordComponents()).map(Part::of).toList(), schema);
  }

  private ObjectNode properties(List<Part> parts, ObjectNode schema) {
    var properties = schema.withObjectProperty("properties");
    // Made anew, since it comes last.
    var required = JsonNodeFactory.instance.arrayNode();
    if (schema.remove("required") instanceof ArrayNode already) required.addAll(already);
    for (var part : parts) {
      part.refuseJackson();
      var property = described(any(part.type()), part.said());
      LimitRules.apply(part.said(), part.where(), property);
      properties.set(part.name(), property);
      if (part.isRequired()) required.add(part.name());
    }
    schema.set("required", required);
    return schema.put("additionalProperties", false);
  }

  private ObjectNode cases(Class<?> type) {
    var schema = object();
    var cases = schema.putArray("anyOf");
    for (var permitted : type.getPermittedSubclasses()) {
      cases.add(form(new Form(permitted, permitted.isRecord())));
    }
    return schema;
  }

  /// The constants as the codec writes them, whatever rules it has.
  private static ObjectNode choice(Class<?> type) {
    var values = Arrays.stream(type.getEnumConstants()).map(ClosedSchemas::written).toList();
    var numeric = values.stream().allMatch(JsonNode::isIntegralNumber);
    var schema = object().put("type", numeric ? "integer" : "string");
    schema.putArray("enum").addAll(values);
    return schema;
  }

  private static JsonNode written(Object constant) {
    var declared = constant instanceof Enum<?> e ? e.getDeclaringClass() : constant.getClass();
    return JsonMapper.shared().readTree(encode(Codec.of(declared), constant).text());
  }

  @SuppressWarnings("unchecked") // the codec is that of the constant's own class
  private static <T> Json encode(Codec<T> codec, Object constant) {
    return codec.encode((T) constant);
  }

  private static ObjectNode scalar(Class<?> type) {
    if (INTEGERS.contains(type)) return object().put("type", "integer");
    if (NUMBERS.contains(type)) return object().put("type", "number");
    if (type == boolean.class || type == Boolean.class) return object().put("type", "boolean");
    if (type == Json.class) return json();
    var schema = object().put("type", "string");
    if (type == char.class || type == Character.class) {
      return schema.put("minLength", 1).put("maxLength", 1);
    }
    var format = FORMATS.get(type);
    return format == null ? schema : schema.put("format", format);
  }

  /// Any value, if the codec writes JSON as it is; else the record that it writes.
  private static ObjectNode json() {
    var written = JsonMapper.shared().readTree(Json.of(Json.parse("0")).text());
    if (written.isNumber()) return object();
    var schema = object().put("type", "object");
    schema.putObject("properties").putObject("text").put("type", "string");
    schema.putArray("required").add("text");
    return schema.put("additionalProperties", false);
  }

  private static ObjectNode orNull(ObjectNode schema) {
    var type = schema.get("type");
    if (type != null && type.isString()) {
      schema.putArray("type").add(type.asString()).add("null");
      if (schema.get("enum") != null) schema.withArray("enum").addNull();
      return schema;
    }
    if (schema.isEmpty() || type != null) return schema; // accepts null already
    var either = object();
    var cases = either.putArray("anyOf");
    if (schema.get("anyOf") == null) cases.add(schema);
    else schema.withArray("anyOf").forEach(cases::add);
    cases.addObject().put("type", "null");
    return either;
  }

  private static ObjectNode described(ObjectNode schema, AnnotatedElement element) {
    var description = element.getAnnotation(Description.class);
    return description == null ? schema : schema.put("description", description.value());
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
