package dev.superstep.graph.internal.execution;

import dev.superstep.error.InvalidUse;
import dev.superstep.graph.internal.kernel.ChannelAccess;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.Optional;

/// The state as a node sees it that has declared what it reads. Immutable.
final class NarrowState implements State {
  private final Snapshot whole;
  private final NodeSpec node;
  private final ChannelAccess access;

  private NarrowState(Snapshot whole, NodeSpec node, ChannelAccess access) {
    this.whole = whole;
    this.node = node;
    this.access = access;
  }

  /// Returns the state that a node sees of a snapshot.
  static State of(Snapshot whole, NodeSpec node) {
    var access = node.access;
    return access == null || access.reads() == null ? whole : new NarrowState(whole, node, access);
  }

  @Override
  public <V> V get(Channel<V, ?> channel) {
    check(channel);
    return whole.get(channel);
  }

  @Override
  public <V> Optional<V> find(Channel<V, ?> channel) {
    check(channel);
    return whole.find(channel);
  }

  @Override
  public long version(Channel<?, ?> channel) {
    check(channel);
    return whole.version(channel);
  }

  private void check(Channel<?, ?> channel) {
    if (access.mayRead(whole.index().place(channel))) return;
    throw InvalidUse.undeclaredRead(node.name(), channel.name());
  }
}
