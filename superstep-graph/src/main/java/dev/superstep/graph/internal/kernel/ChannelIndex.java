package dev.superstep.graph.internal.kernel;

import dev.superstep.state.Channel;
import dev.superstep.state.UndeclaredChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The channels at the places of a snapshot. Immutable.
public final class ChannelIndex {
  private final String graph;
  private final List<Channel<?, ?>> channels;
  private final IdentityHashMap<Channel<?, ?>, Integer> places = new IdentityHashMap<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private final BitSet derivedReads = new BitSet();
  private final int[] fleeting;

  private final int declared;
  private final @Nullable Channel<?, ?> sharedWrites;
  private final @Nullable Channel<String, String> owner;

  public ChannelIndex(String graph, List<Channel<?, ?>> channels) {
    this(graph, channels, null, null);
  }

  private ChannelIndex(
      String graph,
      List<Channel<?, ?>> declared,
      @Nullable Channel<?, ?> sharedWrites,
      @Nullable Channel<String, String> owner) {
    this.graph = graph;
    this.declared = declared.size();
    this.sharedWrites = sharedWrites;
    this.owner = owner;
    var all = new ArrayList<Channel<?, ?>>(declared);
    if (sharedWrites != null) all.add(sharedWrites);
    if (owner != null) all.add(owner);
    this.channels = List.copyOf(all);
    for (int i = 0; i < this.channels.size(); i++) {
      places.put(this.channels.get(i), i);
      byName.put(this.channels.get(i).name(), i);
      derivedReads.set(i, this.channels.get(i).reducer().isReadDerived());
    }
    this.fleeting =
        IntStream.range(0, all.size()).filter(i -> !all.get(i).reducer().isLasting()).toArray();
  }

  /// Returns a copy with a channel for the writes to channels shared with another graph.
  ChannelIndex with(Channel<?, ?> shared) {
    return new ChannelIndex(graph, declared(), shared, owner);
  }

  /// Returns a copy with a channel for the id of the task to which the state belongs.
  ChannelIndex owned(Channel<String, String> by) {
    return new ChannelIndex(graph, declared(), sharedWrites, by);
  }

  /// The channels that the graph declares; the engine's own channels come after them.
  public List<Channel<?, ?>> declared() {
    return channels.subList(0, declared);
  }

  public boolean isDeclared(int place) {
    return place < declared;
  }

  /// A name that no channel has.
  String free(String name) {
    return channel(name) == null ? name : free(name + "-");
  }

  public @Nullable Channel<String, String> owner() {
    return owner;
  }

  public int size() {
    return channels.size();
  }

  public Channel<?, ?> channel(int place) {
    return channels.get(place);
  }

  /// The channel with this name, if the graph has one.
  public @Nullable Channel<?, ?> channel(String name) {
    var place = byName.get(name);
    return place == null ? null : channels.get(place);
  }

  /// Returns whether the channel with this name, which the graph has, has a value before it is
  /// written to.
  public boolean begins(String name) {
    return channel(place(name)).reducer().initial() != null;
  }

  /// Returns whether the value at this place holds more than nodes read of it.
  boolean isReadDerived(int place) {
    return derivedReads.get(place);
  }

  /// The places of values that do not last longer than a superstep. Not to be changed.
  int[] fleeting() {
    return fleeting;
  }

  /// Returns the place of the channel with this name, which the graph has.
  int place(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  public int place(Channel<?, ?> channel) {
    var place = places.get(channel);
    if (place == null) throw new UndeclaredChannel(graph, channel.name());
    return place;
  }
}
