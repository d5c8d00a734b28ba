package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Memories;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// A run between two supersteps: the values of all channels, and the tasks that are due next.
/// Immutable.
public final class Snapshot implements State {
  private final ChannelIndex index;
  private final ChannelValues cells;
  private final Position position;

  /// A place in a lineage that is to be.
  ///
  /// @param checkpoint its id
  /// @param generation of its tasks
  public record Begin(String checkpoint, String generation) {
    static final Begin NOWHERE = new Begin("", "");
  }

  /// The position of a run, besides the values of its channels.
  ///
  /// @param place the checkpoint that holds this snapshot, or the start of the run
  /// @param step the superstep that ended here
  /// @param due what runs in the next superstep, in task order
  /// @param deferred nodes that were activated and run when nothing else is due
  /// @param marks what else the next superstep has to know
  public record Position(
      Begin place, int step, List<PendingTask> due, DeferredTasks deferred, Marks marks) {
    public String checkpoint() {
      return place.checkpoint();
    }

    /// The beginning of the ids of its tasks.
    public String generation() {
      return place.generation();
    }

    public Map<String, Set<String>> arrived() {
      return marks.arrived();
    }

    /// Returns a copy without deferred tasks and arrivals at joins, as new input begins.
    Position cleared() {
      if (deferred.isEmpty() && marks.arrived().isEmpty()) return this;
      return new Position(place, step, due, DeferredTasks.NONE, marks.cleared());
    }

    private Position with(Marks other) {
      return new Position(place, step, due, deferred, other);
    }
  }

  /// The records that a superstep leaves for later ones.
  ///
  /// @param arrived for each join in progress, the nodes that have finished
  /// @param seen for each gated node that has run, the versions of its channels that it saw
  /// @param ran the nodes that the superstep ran, each once
  /// @param chosen for each router that the matrix overruled, by its name, its targets
  /// @param memories the memories of subgraphs
  public record Marks(
      Map<String, Set<String>> arrived,
      Map<String, Map<String, Long>> seen,
      List<String> ran,
      Map<String, List<String>> chosen,
      Memories memories) {
    public static final Marks NONE =
        new Marks(Map.of(), Map.of(), List.of(), Map.of(), Memories.NONE);

    /// Returns the records after another superstep: these, if they are the same, as in a loop.
    @SuppressWarnings("ReferenceEquality") // equal ones would do, and are slower to find
    Marks replaced(
        Map<String, Set<String>> nextArrived,
        Map<String, Map<String, Long>> nextSeen,
        List<String> nextRan,
        Map<String, List<String>> nextChosen,
        Memories nextMemories) {
      boolean isSame =
          nextArrived == arrived
              && nextSeen == seen
              && nextRan == ran
              && nextChosen.isEmpty()
              && chosen.isEmpty()
              && nextMemories == memories;
      return isSame ? this : new Marks(nextArrived, nextSeen, nextRan, nextChosen, nextMemories);
    }

    private Marks cleared() {
      return new Marks(Map.of(), seen, ran, chosen, memories);
    }

    private Marks with(Memories other) {
      return new Marks(arrived, seen, ran, chosen, other);
    }
  }

  /// @param cells not to be changed any more
  public Snapshot(ChannelIndex index, ChannelValues cells, Position position) {
    this.index = index;
    this.cells = cells.settled();
    this.position = position;
  }

  /// Before any input.
  public static Snapshot initial(ChannelIndex index) {
    var cells = ChannelValues.of(index.size());
    for (int i = 0; i < index.size(); i++) {
      var initial = index.channel(i).reducer().initial();
      if (initial != null) cells.put(i, initial);
    }
    var nowhere = new Position(Begin.NOWHERE, -1, List.of(), DeferredTasks.NONE, Marks.NONE);
    return new Snapshot(index, cells, nowhere);
  }

  public Snapshot at(Position other) {
    return new Snapshot(index, cells, other);
  }

  /// Returns a copy with other memories of subgraphs.
  public Snapshot with(Memories memories) {
    var marks = position.marks();
    if (memories.equals(marks.memories())) return this;
    return at(position.with(marks.with(memories)));
  }

  public Position position() {
    return position;
  }

  public int step() {
    return position.step();
  }

  public ChannelIndex index() {
    return index;
  }

  /// The value as its reducer holds it, which may be more than nodes read.
  public @Nullable Object value(int place) {
    return cells.value(place);
  }

  /// Returns whether there is a value to read.
  boolean isPresent(int place) {
    // Asked of every place that triggers something, in every superstep; most of them are empty.
    if (cells.value(place) == null) return false;
    return !index.isReadDerived(place) || read(index.channel(place), place) != null;
  }

  /// Calls back with each of the wanted places that has a value.
  void present(long[] wanted, IntConsumer told) {
    cells.present(wanted, told);
  }

  public long version(int place) {
    return cells.version(place);
  }

  /// Returns a copy of the values, to be changed for another snapshot.
  public ChannelValues copyCells() {
    return cells.copy();
  }

  @Override
  public <V> V get(Channel<V, ?> channel) {
    return find(channel).orElseThrow(() -> new EmptyChannel(channel.name()));
  }

  @Override
  public <V> Optional<V> find(Channel<V, ?> channel) {
    return Optional.ofNullable(read(channel, index.place(channel)));
  }

  @SuppressWarnings("unchecked") // a place holds only what its own channel's reducer made
  private <V> @Nullable V read(Channel<V, ?> channel, int place) {
    var kept = (V) cells.value(place);
    return kept == null || !index.isReadDerived(place) ? kept : channel.reducer().read(kept);
  }

  @Override
  public long version(Channel<?, ?> channel) {
    return cells.version(index.place(channel));
  }

  /// The position and the names of the channels, for logs; not their values.
  @Override
  public String toString() {
    return "State[step "
        + step()
        + ", "
        + index.declared().stream().map(Channel::name).toList()
        + "]";
  }
}
