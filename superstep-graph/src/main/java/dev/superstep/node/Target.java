package dev.superstep.node;

import dev.superstep.json.Codec;

/// The name of a node that is sent an argument of its own, once for each [Send]. Declared once as a
/// constant, it carries the type from the sender to the node. Immutable.
public record Target<A>(String name, Codec<A> codec) {
  /// A target whose argument is of this type.
  ///
  /// @throws dev.superstep.json.UnsupportedType if the type cannot be stored
  public static <A> Target<A> of(String name, Class<A> type) {
    return new Target<>(name, Codec.of(type));
  }
}
