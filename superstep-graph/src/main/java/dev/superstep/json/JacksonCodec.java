package dev.superstep.json;

import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
          return new JacksonCodec<>(
              type, type, type, () -> same(types().constructType(type)), simple(type));
        }
      };

  private final String type;
  private final Type checked;
  private final Type java;
  // The type, if it is no collection and has no arguments.
  private final @Nullable Class<?> plain;
  private final Supplier<Mapped> mapping;
  private @Nullable Mapped mapped;
  private @Nullable Boolean mayBeList;

  /// The writer and the reader of Jackson, each created when it is first used: many types are only
  /// written, such as events, or only read. Safe for many threads, since both are immutable.
  private static final class Mapped {
    private final JavaType written;
    private final JavaType read;
    private @Nullable ObjectWriter writer;
    private @Nullable ObjectReader reader;

    /// @param read a subtype of what is written, to choose how a collection is made
    Mapped(JavaType written, JavaType read) {
      this.written = written;
      this.read = read;
    }

    ObjectWriter writer() {
      var made = writer;
      if (made == null) writer = made = JsonMappers.writer(written);
      return made;
    }

    ObjectReader reader() {
      var made = reader;
      if (made == null) reader = made = JsonMappers.reader(read);
      return made;
    }
  }

  /// @param mapping asked for when the codec is first used: it costs more than the rest of a
  ///   program's start
  private JacksonCodec(Type checked, Type java, Supplier<Mapped> mapping, String name) {
    this(checked, java, null, mapping, name);
  }

  /// @param plain the type, if it may be one of [PlainValues]
  private JacksonCodec(
      Type checked, Type java, @Nullable Class<?> plain, Supplier<Mapped> mapping, String name) {
    var problems = ClosedTypes.problems(checked);
    if (!problems.isEmpty()) throw new UnsupportedType(name, problems);
    this.type = name;
    this.checked = checked;
    this.java = java;
    this.plain = plain;
    this.mapping = mapping;
  }

  private static Mapped same(JavaType type) {
    return new Mapped(type, type);
  }

  private Mapped mapped() {
    var made = mapped;
    if (made == null) mapped = made = mapping.get();
    return made;
  }

  @SuppressWarnings("unchecked")
  static <T> Codec<T> of(Class<T> type) {
    return (Codec<T>) BY_CLASS.get(boxed(type));
  }

  static Codec<?> ofType(Type type) {
    if (type instanceof Class<?> plain) return of(plain);
    var java = types().constructType(type);
    var name = java.toCanonical().replaceAll("[a-z0-9_.]+[.$]", "");
    return new JacksonCodec<>(type, type, () -> same(java), name);
  }

  static <T> Codec<List<T>> listOf(Class<T> element) {
    return new JacksonCodec<>(
        element,
        new CollectionType(List.class, List.of(element)),
        () -> same(types().constructCollectionType(List.class, element)),
        "list<" + simple(element) + ">");
  }

  static <T> Codec<Set<T>> setOf(Class<T> element) {
    return new JacksonCodec<>(
        element,
        new CollectionType(Set.class, List.of(element)),
        () ->
            new Mapped(
                types().constructCollectionType(Set.class, element),
                types().constructCollectionType(LinkedHashSet.class, element)),
        "set<" + simple(element) + ">");
  }

  static <T> Codec<Map<String, T>> mapOf(Class<T> value) {
    return new JacksonCodec<>(
        value,
        new CollectionType(Map.class, List.of(String.class, value)),
        () ->
            new Mapped(
                types().constructMapType(Map.class, String.class, value),
                types().constructMapType(LinkedHashMap.class, String.class, value)),
        "map<" + simple(value) + ">");
  }

  @Override
  public Optional<Type> javaType() {
    return Optional.of(java);
  }

  @Override
  public Json encode(T value) {
    if (value == null) throw new MalformedJson(type, "the value is null", null);
    return value instanceof Json json ? checked(json) : new Json(write(value));
  }

  private Json checked(Json json) {
    try {
      return json.checked();
    } catch (JacksonException e) {
      throw unwritable(e);
    }
  }

  /// The text of a value of this type.
  String write(Object value) {
    var known = plain == null ? null : PlainValues.encode(value);
    if (known != null) return known;
    try {
      return mapped().writer().writeValueAsString(value);
    } catch (JacksonException e) {
      throw unwritable(e);
    }
  }

  private MalformedJson unwritable(JacksonException e) {
    var why = "the value cannot be written: " + e.getOriginalMessage();
    return new MalformedJson(type, why, e);
  }

  MalformedJson changed() {
    return new MalformedJson(type, "what is read back is not equal to the value", null);
  }

  @Override
  public Json encodeLazily(T value) {
    return value == null || value instanceof Json ? encode(value) : Json.deferred(this, value);
  }

  /// Returns whether the other codec is of the same type: only then is its value one of this.
  boolean isSame(JacksonCodec<?> other) {
    return this == other || (type.equals(other.type) && checked.equals(other.checked));
  }

  /// Returns whether a value of this type may be written as a list.
  boolean mayBeList() {
    var known = mayBeList;
    if (known == null) mayBeList = known = plain == null || TypeShapes.mayBeList(plain);
    return known;
  }

  @Override
  @SuppressWarnings("unchecked") // what is decoded is of the type that is asked for
  public T decode(Json json) {
    var value = json.value(this);
    return value == null ? read(json) : (T) value;
  }

  @SuppressWarnings("unchecked")
  private T read(Json json) {
    var known = plain == null ? null : PlainValues.decode(plain, json.text());
    if (known != null) return (T) known;
    try {
      if (plain == Json.class) return (T) json.checked();
      T value = mapped().reader().readValue(json.text());
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
  public String shape() {
    return TypeShapes.of(checked);
  }

  @Override
  public String toString() {
    return "codec of " + type;
  }

  private static TypeFactory types() {
    return JsonMappers.types();
  }

  // Stored with what it describes: a renamed class keeps its name by the annotation.
  private static String simple(Class<?> type) {
    return TypeShapes.name(type);
  }

  private static Class<?> boxed(Class<?> type) {
    // Asked for with every value, and nearly always of a class.
    return type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
  }
}
