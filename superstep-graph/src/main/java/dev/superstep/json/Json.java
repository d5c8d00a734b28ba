package dev.superstep.json;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A JSON value as text, the form in which values are stored, sent and shown. Equality is equality
/// of the text. Immutable.
///
/// Text becomes part of another value only after it was checked, and no text is checked twice. A
/// value that a codec encoded [lazily][Codec#encodeLazily] has no text until somebody asks for it;
/// it then drops what it was made of, so that it takes memory once.
public final class Json {
  private static final Json NULL = new Json("null");

  // The text if it was checked, else an Unchecked or a Deferred. One field, so that it can be
  // replaced without a lock: whoever reads the old content finds the same in it.
  private Object content;

  /// @param checked well-formed, and in its shortest form
  Json(String checked) {
    this((Object) checked);
  }

  private Json(Object content) {
    this.content = content;
    // Who gets it without a lock must see it whole, as if the field were final.
    VarHandle.storeStoreFence();
  }

  /// Text that nobody has checked.
  private record Unchecked(String text) {}

  /// A value whose text nobody has asked for.
  private record Deferred(JacksonCodec<?> codec, Object value) {}

  static Json deferred(JacksonCodec<?> codec, Object value) {
    return new Json(new Deferred(codec, value));
  }

  /// The JSON `null`.
  public static Json ofNull() {
    return NULL;
  }

  /// Checks text from outside and keeps it in its shortest form.
  ///
  /// @throws MalformedJson if the text is not exactly one JSON value
  public static Json parse(String text) {
    return JsonMappers.normalized(text);
  }

  /// Takes text as it is, such as what a store holds. It is checked once, when it is first read as
  /// a value or becomes part of another one; that is then refused if it is not JSON.
  public static Json unchecked(String text) {
    return new Json(new Unchecked(text));
  }

  /// Encodes a value of a closed type: a record, an enum, a scalar or a sealed interface.
  ///
  /// @throws UnsupportedType if the type of the value has no codec
  public static Json of(Object value) {
    return encode(Codec.of(value.getClass()), value);
  }

  /// Encodes a string as a JSON string.
  public static Json string(String value) {
    return Codec.of(String.class).encode(value);
  }

  /// Reads this value as `type`.
  ///
  /// @throws MalformedJson if it does not have the shape of the type
  public <T> T as(Class<T> type) {
    return Codec.of(type).decode(this);
  }

  /// The text.
  ///
  /// @throws MalformedJson if the value was encoded lazily, and cannot be written
  public String text() {
    // Not a switch on the type, whose first use takes longer than the rest of a short start.
    var now = content;
    if (now instanceof String text) return text;
    if (now instanceof Unchecked unchecked) return unchecked.text();
    var deferred = (Deferred) now;
    var text = deferred.codec().write(deferred.value());
    content = text;
    return text;
  }

  /// Returns this value once nothing can change it any more: one that was encoded lazily is written
  /// now, unless it is made of immutable parts alone.
  ///
  /// @throws MalformedJson if it is written now, and cannot be
  public Json frozen() {
    if (content instanceof Deferred(_, var value) && !Immutability.isImmutable(value)) {
      var _ = text();
    }
    return this;
  }

  /// Writes a value that was encoded lazily, reads it back and compares the two.
  ///
  /// @throws MalformedJson if it cannot be written or read, or if what is read is not equal to it
  public Json verified() {
    if (content instanceof Deferred(var codec, var value)) {
      var read = codec.decode(new Json(text()));
      if (!read.equals(value)) throw codec.changed();
    }
    return this;
  }

  /// Returns whether it is a list. A value of which that is known beforehand is not written for it.
  public boolean isList() {
    boolean isKnown = content instanceof Deferred(var codec, _) && !codec.mayBeList();
    return !isKnown && text().startsWith("[");
  }

  /// The value that it was made of, if it was encoded lazily by that codec and not written yet.
  @Nullable Object value(JacksonCodec<?> codec) {
    return content instanceof Deferred(var made, var value) && made.isSame(codec) ? value : null;
  }

  /// This value if it was checked, else one with its shortest form.
  ///
  /// @throws tools.jackson.core.JacksonException if it is not JSON
  Json checked() {
    if (!(content instanceof Unchecked(var text))) return this;
    var shortest = JsonValues.checked(text);
    if (!shortest.text().equals(text)) return shortest;
    content = text;
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Json json && text().equals(json.text()));
  }

  @Override
  public int hashCode() {
    return text().hashCode();
  }

  @Override
  public String toString() {
    return text();
  }

  @SuppressWarnings("unchecked")
  private static <T> Json encode(Codec<T> codec, Object value) {
    return codec.encode((T) value);
  }
}
