package dev.superstep.node;

import java.util.Objects;

/// Names a value that the caller of a run gives to its nodes and that is not state: a connection, a
/// signed-in user, a setting. It is never stored, so a resumed run must be given it again; anything
/// that must then be the same belongs in a channel. Declared once as a constant. Immutable.
///
/// ```java
/// static final ContextKey<Mailer> MAILER = ContextKey.of("mailer", Mailer.class);
///
/// graph.invoke(input, options.with(MAILER, mailer));
/// ...
/// context.get(MAILER).send(letter);
/// ```
///
/// @param name for errors; keys of one name and type are one key
public record ContextKey<T>(String name, Class<T> type) {
  public ContextKey {
    Objects.requireNonNull(type, "type");
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
  }

  /// A key for values of this type.
  public static <T> ContextKey<T> of(String name, Class<T> type) {
    return new ContextKey<>(name, type);
  }
}
