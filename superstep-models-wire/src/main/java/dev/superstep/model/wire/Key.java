package dev.superstep.model.wire;

import org.jspecify.annotations.Nullable;

/// An API key and the variable that holds it. Only [#value] gives the key away. Immutable.
///
/// @param value null if none is needed and none is set
public record Key(String variable, @Nullable String value) {
  /// For servers that ask for no key.
  public static final Key NONE = new Key("", null);

  /// The text without the key, which vendors sometimes echo.
  public String hide(String text) {
    return value == null || value.isEmpty() ? text : text.replace(value, "***");
  }

  @Override
  public String toString() {
    return "Key[" + variable + "]";
  }
}
