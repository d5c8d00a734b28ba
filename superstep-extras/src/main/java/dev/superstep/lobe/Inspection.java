package dev.superstep.lobe;

import java.util.Optional;

/// The answer to an inspection request. Immutable.
///
/// ```java
/// switch (lobe.inspect(PLAN)) {
///   case Granted(var plan) -> compare(plan);
///   case Denied(var reason) -> lobe.note("worked without the plan: " + reason);
/// }
/// ```
///
/// @param <V> what was asked for
public sealed interface Inspection<V> {
  /// It may be seen.
  ///
  /// @param value empty if the channel has none
  record Granted<V>(Optional<V> value) implements Inspection<V> {}

  /// It may not be seen.
  record Denied<V>(String reason) implements Inspection<V> {}

  /// The value, if it may be seen and there is one.
  default Optional<V> value() {
    return switch (this) {
      case Granted<V>(var value) -> value;
      case Denied<V> _ -> Optional.empty();
    };
  }
}
