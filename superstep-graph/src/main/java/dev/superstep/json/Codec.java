package dev.superstep.json;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Turns values of one type into JSON and back. The set of types is closed when the codec is made:
/// nothing in stored text can name a class. Implementations are safe for many threads.
public interface Codec<T> {
  /// The JSON of a value.
  Json encode(T value);

  /// The JSON of a value whose text is made when it is first asked for, and [#decode] then need not
  /// read it: this type gives the value itself back. The value must not change; if it may, ask for
  /// [Json#frozen]. A value that cannot be written is found when the text is made.
  ///
  /// A codec that wraps another one may hand this on; else it encodes at once.
  default Json encodeLazily(T value) {
    return encode(value);
  }

  /// The value of a JSON text.
  ///
  /// @throws MalformedJson if the text does not have the shape of this type
  T decode(Json json);

  /// The name of the type for people and for the identity of a graph: `Ticket`, `list<Ticket>`.
  String type();

  /// The shape of the type as far as its name does not show it, for the identity of a graph: the
  /// components of records, the cases of sealed interfaces, the constants of enums. Empty if there
  /// are none of these.
  default String shape() {
    return "";
  }

  /// The Java type of the values, for those who describe it, such as by a schema. Empty for a codec
  /// that was not made from one.
  default Optional<Type> javaType() {
    return Optional.empty();
  }

  /// A codec for a record, enum, scalar, `java.time` type, or sealed interface over records
  /// (written with a `type` property that holds the simple name of the record).
  ///
  /// @throws UnsupportedType if the type, or one reachable from it, is open
  static <T> Codec<T> of(Class<T> type) {
    return JacksonCodec.of(type);
  }

  /// A codec for a type with type arguments, as a record component declares it.
  ///
  /// @throws UnsupportedType if the type, or one reachable from it, is open
  static Codec<?> ofType(Type type) {
    return JacksonCodec.ofType(type);
  }

  /// A codec for lists.
  static <T> Codec<List<T>> listOf(Class<T> element) {
    return JacksonCodec.listOf(element);
  }

  /// A codec for sets, which retains the order of iteration.
  static <T> Codec<Set<T>> setOf(Class<T> element) {
    return JacksonCodec.setOf(element);
  }

  /// A codec for maps with string keys, which retains the order of iteration.
  static <T> Codec<Map<String, T>> mapOf(Class<T> value) {
    return JacksonCodec.mapOf(value);
  }
}
