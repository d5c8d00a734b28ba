package dev.superstep.graph;

import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A run between two supersteps: the values of all channels, and what is due next. Immutable.
final class Snapshot implements State {
  private final Layout layout;
  private final @Nullable Object[] values;
  private final long[] versions;
  private final Position position;

  /// Where the run stands.
  ///
  /// @param checkpoint the id of the checkpoint that holds this snapshot, or of the run's start
  /// @param step the superstep that ended here
  /// @param arrived for each join in progress, the nodes that have finished
  record Position(String checkpoint, int step, List<Due> due, Map<String, Set<String>> arrived) {}

  Snapshot(Layout layout, @Nullable Object[] values, long[] versions, Position position) {
    this.layout = layout;
    this.values = values;
    this.versions = versions;
    this.position = position;
  }

  /// Before any input.
  static Snapshot initial(Layout layout) {
    var values = new @Nullable Object[layout.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = layout.channel(i).reducer().initial();
    }
    var nowhere = new Position("", -1, List.of(), Map.of());
    return new Snapshot(layout, values, new long[values.length], nowhere);
  }

  Snapshot at(Position other) {
    return new Snapshot(layout, values, versions, other);
  }

  Position position() {
    return position;
  }

  int step() {
    return position.step();
  }

  Layout layout() {
    return layout;
  }

  @Nullable Object value(int place) {
    return values[place];
  }

  long version(int place) {
    return versions[place];
  }

  @Nullable Object[] copyValues() {
    return values.clone();
  }

  long[] copyVersions() {
    return versions.clone();
  }

  @Override
  public <V> V get(Channel<V, ?> channel) {
    return find(channel).orElseThrow(() -> new EmptyChannel(channel.name()));
  }

  @Override
  @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
  public <V> Optional<V> find(Channel<V, ?> channel) {
    return Optional.ofNullable((V) values[layout.place(channel)]);
  }

  @Override
  public long version(Channel<?, ?> channel) {
    return versions[layout.place(channel)];
  }
}
