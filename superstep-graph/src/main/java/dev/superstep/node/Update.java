package dev.superstep.node;

import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Writes to channels, in order. Writes are folded into the state when the superstep ends, so no
/// sibling sees them before. Immutable.
///
/// @param writes in the order in which they are folded
public record Update(List<Write> writes) implements NodeResult {
  public Update {
    writes = List.copyOf(writes);
  }

  /// An update with one write. On a channel that collects items, such as `Channel.append`, that is
  /// one item; javac then refuses a list with `inference variable W has incompatible bounds`, and
  /// [#all] takes it.
  public static <W> Update of(Channel<?, W> channel, W value) {
    return new Update(List.of(new Write.Put<>(channel, value)));
  }

  /// Several writes to one channel, such as all items of a list.
  public static <W> Update all(Channel<?, W> channel, Collection<? extends W> values) {
    return new Update(List.of(new Write.PutAll<W>(channel, List.copyOf(values))));
  }

  /// Replaces the value of a channel, bypassing its reducer. Later writes of the same update to the
  /// channel are folded into that value; its earlier writes, and plain writes of other tasks in the
  /// same superstep, are ignored. A second overwrite is an error.
  public static <V> Update overwrite(Channel<V, ?> channel, V value) {
    return new Update(List.of(new Write.Overwrite<>(channel, value)));
  }

  /// Takes one entry out of a by-id or merge channel.
  public static Update remove(Channel<?, ?> channel, String key) {
    if (!channel.reducer().hasKeys()) {
      throw new IllegalArgumentException(
          "channel `" + channel.name() + "` is " + channel.kind() + " and has no keys to remove");
    }
    return new Update(List.of(new Write.Remove(channel, key)));
  }

  /// These writes, then one more.
  public <W> Update and(Channel<?, W> channel, W value) {
    return and(of(channel, value));
  }

  /// These writes, then those of another update.
  public Update and(Update other) {
    var both = new ArrayList<>(writes);
    both.addAll(other.writes);
    return new Update(both);
  }
}
