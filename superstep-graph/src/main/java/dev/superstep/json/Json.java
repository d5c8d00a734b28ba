package dev.superstep.json;

import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A JSON value as text, the form in which values are stored, sent and shown. Equality is equality
/// of the text. Immutable.
///
/// Text becomes part of another value only after it was checked, and no text is checked twice. A
/// value that a codec encoded [lazily][Codec#encodeLazily] has no text until somebody asks for it;
/// it then drops what it was made of, so that it takes memory once.
public final class Json {
  private static final Json NULL = new Json("null");

  // Without a codec, the text if it was checked, else an Unchecked; with one, the value of a lazy
  // encoding, and a Written once somebody has asked for its text. One field, so that it can be
  // replaced without a lock: whoever reads the old content finds the same in it.
  private Object content;
  private final @Nullable JacksonCodec<?> codec;

  /// @param checked well-formed, and in its shortest form
  Json(String checked) {
    this(checked, null);
  }

  private Json(Object content, @Nullable JacksonCodec<?> codec) {
    this.content = content;
    this.codec = codec;
    // Who gets it without a lock must see it whole, as if the field were final.
    VarHandle.storeStoreFence();
  }

  /// Text that nobody has checked.
  private record Unchecked(String text) {}

  /// The text of a value that was encoded lazily.
  private record Written(String text) {}

  static Json deferred(JacksonCodec<?> codec, Object value) {
    return new Json(value, codec);
  }

  /// The JSON `null`.
  public static Json ofNull() {
    return NULL;
  }

  /// Checks text from outside and keeps it in its shortest form.
  ///
  /// @throws MalformedJson if the text is not exactly one JSON value
  public static Json parse(String text) {
    return JsonText.normalized(text);
  }

  /// Takes text as it is, such as what a store holds. It is checked once, when it is first read as
  /// a value or becomes part of another one; that is then refused if it is not JSON.
  public static Json unchecked(String text) {
    return new Json(new Unchecked(text), null);
  }

  /// Returns this value with the fields of every object in the order of their names, so that two
  /// objects that differ only in that order have the same text. Numbers stay as they are written.
  ///
  /// @throws MalformedJson if it is not JSON
  public Json canonical() {
    return JsonText.canonical(text());
  }

  /// Encodes a value: a record, an enum, a scalar, or a map, list, set or optional of these, nested
  /// as you like. Keys of maps are strings; null, and an empty optional, become the JSON `null`;
  /// another [Json] becomes part of this one. A record is written by its own type, without the
  /// `type` property that a sealed interface adds.
  ///
  /// @throws UnsupportedType if the type of the value has no codec, or a key is no string
  /// @throws MalformedJson if JSON has no form for a value, such as for `NaN`
  public static Json of(Object value) {
    if (PlainCollections.isCollection(value)) return PlainCollections.encode(value);
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
    var now = content;
    // Not a switch on the type, whose first use takes longer than the rest of a short start.
    if (codec == null) return now instanceof String text ? text : ((Unchecked) now).text();
    if (now instanceof Written written) return written.text();
    var text = codec.write(now);
    content = new Written(text);
    return text;
  }

  /// The value of a lazy encoding whose text nobody has asked for; else null.
  private @Nullable Object unwritten() {
    var now = content;
    return codec == null || now instanceof Written ? null : now;
  }

  /// Returns this value once nothing can change it any more: one that was encoded lazily is written
  /// now, unless it is made of immutable parts alone.
  ///
  /// @throws MalformedJson if it is written now, and cannot be
  public Json frozen() {
    var value = unwritten();
    if (value != null && !Immutability.isImmutable(value)) {
      var _ = text();
    }
    return this;
  }

  /// Writes a value that was encoded lazily, reads it back and compares the two.
  ///
  /// @throws MalformedJson if it cannot be written or read, or if what is read is not equal to it
  public Json verified() {
    var value = unwritten();
    if (codec != null && value != null) {
      var read = codec.decode(new Json(text()));
      if (!read.equals(value)) throw codec.changed();
    }
    return this;
  }

  /// Returns whether it is a list. A value of which that is known beforehand is not written for it.
  public boolean isList() {
    boolean isKnown = codec != null && !codec.mayBeList();
    return !isKnown && text().startsWith("[");
  }

  /// The elements of this array.
  ///
  /// @throws MalformedJson if it is no array
  public List<Json> elements() {
    return JsonText.elements(text());
  }

  /// The value that it was made of, if it was encoded lazily by that codec and not written yet.
  @Nullable Object value(JacksonCodec<?> by) {
    return codec != null && codec.isSame(by) ? unwritten() : null;
  }

  /// This value if it was checked, else one with its shortest form.
  ///
  /// @throws tools.jackson.core.JacksonException if it is not JSON
  Json checked() {
    if (!(content instanceof Unchecked(var text))) return this;
    var shortest = JsonText.checked(text);
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
