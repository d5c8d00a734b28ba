package dev.superstep.json;

/// A JSON value as text, the form in which values are stored, sent and shown. Equality is equality
/// of the text. Immutable.
///
/// @param text well-formed JSON; checked where it enters through [#parse]
public record Json(String text) {
  private static final Json NULL = new Json("null");

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

  @Override
  public String toString() {
    return text;
  }

  @SuppressWarnings("unchecked")
  private static <T> Json encode(Codec<T> codec, Object value) {
    return codec.encode((T) value);
  }
}
