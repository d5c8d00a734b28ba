package dev.superstep.lobe;

import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Optional;

/// The view that a lobe has of the state: the channels that it declares, and its own notes.
/// Immutable.
public final class LobeView implements State {
  private final Lobe lobe;
  private final State state;
  private final Records records;

  LobeView(Lobe lobe, State state, Records records) {
    this.lobe = lobe;
    this.state = state;
    this.records = records;
  }

  /// @throws HiddenChannel if the lobe does not declare it
  @Override
  public <V> V get(Channel<V, ?> channel) {
    check(channel);
    return state.get(channel);
  }

  /// @throws HiddenChannel if the lobe does not declare it
  @Override
  public <V> Optional<V> find(Channel<V, ?> channel) {
    check(channel);
    return state.find(channel);
  }

  /// @throws HiddenChannel if the lobe does not declare it
  @Override
  public long version(Channel<?, ?> channel) {
    check(channel);
    return state.version(channel);
  }

  /// The saved notes of the lobe, oldest first, as of the start of the superstep.
  public List<Note> notes() {
    return records.notesOf(lobe.name(), state);
  }

  private void check(Channel<?, ?> channel) {
    // The same constant: another channel of that name would be another one's.
    for (var known : lobe.reads()) if (known.equals(channel)) return;
    throw new HiddenChannel(lobe.name(), channel.name());
  }

  @Override
  public String toString() {
    return "LobeView[" + lobe.name() + "]";
  }
}
