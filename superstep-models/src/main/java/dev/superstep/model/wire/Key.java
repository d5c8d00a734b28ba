package dev.superstep.model.wire;

import dev.superstep.middleware.Secrets;
import org.jspecify.annotations.Nullable;

/// An API key and the variable that holds it. Only [#value] gives the key away. Immutable.
///
/// @param value null if none is needed and none is set
public record Key(String variable, @Nullable String value) {
  /// For servers that ask for no key.
  public static final Key NONE = new Key("", null);

  /// Returns the text in a form that may be shown: without the key, which vendors sometimes echo,
  /// whole or in part, plain or encoded; without text that looks like another key; and without
  /// control sequences, which would reach a terminal or a log.
  public String hide(String text) {
    var plain = Controls.without(text);
    var hidden = value == null || value.isEmpty() ? plain : new KeyEcho(value).hide(plain);
    return Secrets.hide(hidden);
  }

  @Override
  public String toString() {
    return "Key[" + variable + "]";
  }
}
