package dev.superstep.graph;

import dev.superstep.state.Channel;
import dev.superstep.state.UndeclaredChannel;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which channel stands at which place of a snapshot. Immutable.
final class Layout {
  private final String graph;
  private final List<Channel<?, ?>> channels;
  private final IdentityHashMap<Channel<?, ?>, Integer> places = new IdentityHashMap<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private final BitSet keepsMore = new BitSet();

  Layout(String graph, List<Channel<?, ?>> channels) {
    this.graph = graph;
    this.channels = List.copyOf(channels);
    for (int i = 0; i < this.channels.size(); i++) {
      places.put(this.channels.get(i), i);
      byName.put(this.channels.get(i).name(), i);
      keepsMore.set(i, this.channels.get(i).reducer().keepsMore());
    }
  }

  int size() {
    return channels.size();
  }

  Channel<?, ?> channel(int place) {
    return channels.get(place);
  }

  /// The channel with this name, if the graph has one.
  @Nullable Channel<?, ?> channel(String name) {
    var place = byName.get(name);
    return place == null ? null : channels.get(place);
  }

  /// Whether the value at this place is more than what is read of it.
  boolean keepsMore(int place) {
    return keepsMore.get(place);
  }

  /// Where the channel with this name stands, which the graph has.
  int place(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  int place(Channel<?, ?> channel) {
    var place = places.get(channel);
    if (place == null) throw new UndeclaredChannel(graph, channel.name());
    return place;
  }
}
