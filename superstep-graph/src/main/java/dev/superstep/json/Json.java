package dev.superstep.json;

import org.jspecify.annotations.Nullable;

/// A JSON value as text, the form in which values are stored, sent and shown. Equality is equality
/// of the text. Immutable.
///
/// Text becomes part of another value only after it was checked, and no text is checked twice.
public final class Json {
  private static final Json NULL = new Json("null");

  // The text if it was checked, else an Unchecked. One field, so that it can be replaced without a
  // lock: whoever reads the old content finds the same in it.
  private Object content;

  /// @param checked well-formed, and in its shortest form
  Json(String checked) {
    this((Object) checked);
  }

  private Json(Object content) {
    this.content = content;
  }

  /// Text that nobody has checked.
  private record Unchecked(String text) {}

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
  public String text() {
    return content instanceof Unchecked(var text) ? text : (String) content;
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
