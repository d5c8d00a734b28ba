package dev.superstep.state;

import java.util.List;

/// One write of a node to a channel. Immutable.
public sealed interface Write {
  /// Where it goes.
  Channel<?, ?> channel();

  /// Folded into the value by the channel's reducer.
  record Put<W>(Channel<?, W> channel, W value) implements Write {}

  /// Several writes to one channel, in order.
  record PutAll<W>(Channel<?, W> channel, List<W> values) implements Write {
    public PutAll {
      values = List.copyOf(values);
    }
  }

  /// Replaces the value and sets aside all other writes to the channel in the same superstep.
  record Overwrite<V>(Channel<V, ?> channel, V value) implements Write {}

  /// Takes one entry out of a channel that has keys.
  record Remove(Channel<?, ?> channel, String key) implements Write {}
}
