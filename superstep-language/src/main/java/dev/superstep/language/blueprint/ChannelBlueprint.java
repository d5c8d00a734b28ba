package dev.superstep.language.blueprint;

import java.util.List;
import java.util.Optional;

/// A channel of a graph as text. Immutable.
///
/// @param reducer the name of a standard reducer, or of a registered one
/// @param arguments strings and numbers
/// @param type of one value: for a list, of an item; absent if the source does not say
/// @param cuts what is dropped of a list, in order
public record ChannelBlueprint(
    String name, String reducer, List<Literal> arguments, Optional<TypeName> type, List<Cut> cuts) {
  public ChannelBlueprint {
    Literal.checkText(name);
    Literal.checkText(reducer);
    arguments = List.copyOf(arguments);
    cuts = List.copyOf(cuts);
  }

  /// A way to drop items of a list, such as `keep_last 50`.
  public record Cut(String word, List<Literal> arguments) {
    public Cut {
      arguments = List.copyOf(arguments);
    }
  }
}
