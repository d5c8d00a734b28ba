package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A write of a node to a channel. Immutable.
public sealed interface Write {
  /// Where it goes.
  Channel<?, ?> channel();

  /// Folded into the value by the channel's reducer.
  record Put<W>(Channel<?, W> channel, W value) implements Write {
    public Put {
      requireValue(channel, value);
    }
  }

  /// Several writes to one channel, in order.
  record PutAll<W>(Channel<?, W> channel, List<W> values) implements Write {
    public PutAll {
      values = List.copyOf(values);
    }
  }

  /// Replaces the value and sets aside all other writes to the channel in the same superstep.
  record Overwrite<V>(Channel<V, ?> channel, V value) implements Write {
    public Overwrite {
      requireValue(channel, value);
    }
  }

  /// Takes one entry out of a channel that has keys.
  record Remove(Channel<?, ?> channel, String key) implements Write {}

  private static void requireValue(Channel<?, ?> channel, @Nullable Object value) {
    if (value != null) return;
    throw new NullPointerException(
        "the value written to channel `" + channel.name() + "` must not be null");
  }
}
