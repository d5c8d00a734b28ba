package dev.superstep.graph.internal.kernel;

import dev.superstep.state.Channel;
import java.util.BitSet;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Which channels a node may read and write, by place. Immutable.
public final class ChannelAccess {
  private final @Nullable BitSet reads;
  private final @Nullable BitSet writes;

  private ChannelAccess(@Nullable BitSet reads, @Nullable BitSet writes) {
    this.reads = reads;
    this.writes = writes;
  }

  /// Returns the access to declared channels; null allows all of them.
  static ChannelAccess of(
      @Nullable Collection<Channel<?, ?>> reads,
      @Nullable Collection<Channel<?, ?>> writes,
      ChannelIndex index) {
    return new ChannelAccess(places(reads, index), places(writes, index));
  }

  private static @Nullable BitSet places(
      @Nullable Collection<Channel<?, ?>> channels, ChannelIndex index) {
    if (channels == null) return null;
    var places = new BitSet(index.size());
    for (var channel : channels) places.set(index.place(channel));
    return places;
  }

  /// The places that it reads, or null if it may read all. Not to be changed.
  public @Nullable BitSet reads() {
    return reads;
  }

  /// The places that it writes, or null if it may write all. Not to be changed.
  public @Nullable BitSet writes() {
    return writes;
  }

  public boolean mayRead(int place) {
    return reads == null || reads.get(place);
  }

  boolean mayWrite(int place) {
    return writes == null || writes.get(place);
  }
}
