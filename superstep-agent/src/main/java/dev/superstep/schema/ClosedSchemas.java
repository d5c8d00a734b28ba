package dev.superstep.schema;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
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
    var schema = writer.form(writer.root);
    if (!writer.definitions.isEmpty()) schema.set("$defs", writer.definitions);
    return schema;
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
    var properties = schema.putObject("properties");
    var required = JsonNodeFactory.instance.arrayNode();
    if (form.isCase()) {
      properties.putObject("type").put("const", form.type().getSimpleName());
      required.add("type");
    }
    for (var component : form.type().getRecordComponents()) {
      refuseJackson(component);
      var property = described(any(component.getAnnotatedType()), component);
      LimitRules.apply(component, property);
      properties.set(component.getName(), property);
      if (isRequired(component)) required.add(component.getName());
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
    var written = JsonMapper.shared().readTree(Json.of(new Json("0")).text());
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

  private static boolean isRequired(RecordComponent component) {
    return component.getType() != Optional.class
        && !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static void refuseJackson(RecordComponent component) {
    for (var annotation : component.getAccessor().getAnnotations()) {
      var name = annotation.annotationType().getName();
      if (!name.startsWith("com.fasterxml.jackson.")) continue;
      throw new IllegalArgumentException(
          component.getDeclaringRecord().getSimpleName()
              + "."
              + component.getName()
              + " has the annotation "
              + name
              + ", which a schema does not follow; name the component as it is written");
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
