package dev.superstep.node;

import dev.superstep.state.State;

/// Chooses what follows a node, once its superstep is folded: it sees the writes of the node and of
/// its siblings. Free of side effects.
///
/// @param <T> a node name, several, or sends
@FunctionalInterface
public interface Router<T> {
  /// Returns what runs next.
  T route(State state);
}
