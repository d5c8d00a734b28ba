package dev.superstep.graph;

import dev.superstep.state.Channel;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// What a run starts with: writes that are folded into the state before the first superstep, by the
/// same reducers. Immutable.
public record Input(List<Write> writes) {
  public Input {
    writes = List.copyOf(writes);
  }

  /// No writes.
  public static Input none() {
    return new Input(List.of());
  }

  /// One write.
  public static <W> Input of(Channel<?, W> channel, W value) {
    return new Input(Update.of(channel, value).writes());
  }

  /// Several writes to one channel.
  public static <W> Input all(Channel<?, W> channel, Collection<? extends W> values) {
    return new Input(Update.all(channel, values).writes());
  }

  /// These writes, then one more.
  public <W> Input and(Channel<?, W> channel, W value) {
    var both = new ArrayList<>(writes);
    both.addAll(Update.of(channel, value).writes());
    return new Input(both);
  }
}
