package dev.superstep.state;

import java.util.Optional;

/// The state of a run at one moment. Immutable: a node sees it as it was when its superstep began,
/// whatever its siblings write.
public interface State {
  /// The value of a channel.
  ///
  /// @throws EmptyChannel if it was never written and has no initial value
  /// @throws UndeclaredChannel if the graph does not declare it
  <V> V get(Channel<V, ?> channel);

  /// The value of a channel, or empty if it was never written and has no initial value.
  ///
  /// @throws UndeclaredChannel if the graph does not declare it
  <V> Optional<V> find(Channel<V, ?> channel);

  /// Returns the number of times that the value has changed; 0 if it never did.
  ///
  /// @throws UndeclaredChannel if the graph does not declare it
  long version(Channel<?, ?> channel);
}
