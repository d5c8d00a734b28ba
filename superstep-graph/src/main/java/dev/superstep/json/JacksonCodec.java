package dev.superstep.json;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.type.TypeFactory;

/// A codec over Jackson for a type whose closure was checked. Safe for many threads.
final class JacksonCodec<T> implements Codec<T> {
  private static final ClassValue<JacksonCodec<?>> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected JacksonCodec<?> computeValue(Class<?> type) {
          return new JacksonCodec<>(type, JsonMappers.types().constructType(type), simple(type));
        }
      };

  private final String type;
  private final ObjectWriter writer;
  private final ObjectReader reader;

  private JacksonCodec(Type checked, JavaType java, String name) {
    this(checked, java, java, name);
  }

  /// @param read a subtype of what is written, to choose how a collection is made
  private JacksonCodec(Type checked, JavaType written, JavaType read, String name) {
    var problems = ClosedTypes.problems(checked);
    if (!problems.isEmpty()) throw new UnsupportedType(name, problems);
    this.type = name;
    this.writer = JsonMappers.writer(written);
    this.reader = JsonMappers.reader(read);
  }

  @SuppressWarnings("unchecked")
  static <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) BY_CLASS.get(boxed(type));
  }

  static Codec<?> ofType(Type type) {
    if (type instanceof Class<?> plain) return of(plain);
    var java = types().constructType(type);
    return new JacksonCodec<>(type, java, java.toCanonical().replaceAll("[a-z0-9_.]+[.$]", ""));
  }

  static <T> Codec<List<T>> listOf(Class<T> element) {
    var java = types().constructCollectionType(List.class, element);
    return new JacksonCodec<>(element, java, "list<" + simple(element) + ">");
  }

  static <T> Codec<Set<T>> setOf(Class<T> element) {
    var written = types().constructCollectionType(Set.class, element);
    var read = types().constructCollectionType(LinkedHashSet.class, element);
    return new JacksonCodec<>(element, written, read, "set<" + simple(element) + ">");
  }

  static <T> Codec<Map<String, T>> mapOf(Class<T> value) {
    var written = types().constructMapType(Map.class, String.class, value);
    var read = types().constructMapType(LinkedHashMap.class, String.class, value);
    return new JacksonCodec<>(value, written, read, "map<" + simple(value) + ">");
  }

  @Override
  public Json encode(T value) {
    if (value == null) throw new MalformedJson(type, "the value is null", null);
    try {
      return new Json(writer.writeValueAsString(value));
    } catch (JacksonException e) {
      throw new MalformedJson(type, "the value cannot be written: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public T decode(Json json) {
    try {
      T value = reader.readValue(json.text());
      if (value == null) throw new MalformedJson(type, "it is null", null);
      return value;
    } catch (JacksonException e) {
      throw new MalformedJson(type, JsonMappers.explain(e), e);
    }
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public String toString() {
    return "codec of " + type;
  }

  private static TypeFactory types() {
    return JsonMappers.types();
  }

  private static String simple(Class<?> type) {
    return type.getSimpleName();
  }

  private static Class<?> boxed(Class<?> type) {
    return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
  }
}
