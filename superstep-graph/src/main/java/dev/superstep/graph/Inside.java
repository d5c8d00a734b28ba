package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A subgraph in its place in another graph. Immutable.
///
/// @param graph what runs; it may have more channels than the one that was given
/// @param shared the channels that both graphs declare, if they are shared
record Inside(Subgraph<?> subgraph, Graph graph, List<Channel<?, ?>> shared) {
  /// @param around the channels of the outer graph
  static Inside of(Subgraph<?> subgraph, List<Channel<?, ?>> around) {
    var graph = subgraph.graph();
    List<Channel<?, ?>> shared = List.of();
    var layout = graph.layout();
    if (subgraph.isShared()) {
      shared = shared(graph, around);
      layout = layout.with(new Outbox(layout.free("outbox"), shared));
    }
    if (subgraph.keeping() == Keeping.REMEMBERED) {
      layout = layout.owned(Channel.latest(layout.free("owner"), String.class));
    }
    if (layout == graph.layout()) return new Inside(subgraph, graph, shared);
    // What is kept of the one is of no use to the other.
    var names = shared.stream().map(Channel::name).collect(Collectors.joining(","));
    return new Inside(subgraph, graph.with(layout, "+" + names), shared);
  }

  static List<Channel<?, ?>> shared(Graph graph, List<Channel<?, ?>> around) {
    return graph.layout().declared().stream()
        // Who takes a token is a matter of one graph.
        .filter(c -> !c.reducer().isTaken() && around.stream().anyMatch(other -> other == c))
        .toList();
  }

  /// Where its checkpoints are, or null if nothing is kept.
  @Nullable Checkpointer store(RunOptions around) {
    var outer = around.checkpointer().orElse(null);
    if (outer == null || subgraph.keeping() == Keeping.NOTHING) return null;
    return subgraph.store() == null ? outer : subgraph.store();
  }

  /// @param path the nodes that lead to it, with its own
  Lineage lineage(String thread, Task task, List<String> path) {
    return switch (subgraph.keeping()) {
      case REMEMBERED -> Lineage.remembered(thread, path);
      // The id of the task is unique in the thread, and the same when the task runs again.
      case APART, NOTHING -> new Lineage(thread, task.id());
    };
  }

  /// Whether several tasks share what is kept, so that it is to be asked whose it is.
  boolean isOwned() {
    return graph.layout().owner() != null;
  }

  /// Whether what is kept is of this very task.
  boolean isOf(Task task, Snapshot kept) {
    var owner = graph.layout().owner();
    return owner == null || kept.find(owner).filter(task.id()::equals).isPresent();
  }

  /// What a new activation starts with.
  ///
  /// @param given what the subgraph's own function made
  /// @throws SharedInput if that is to write what is shared
  Input input(Input given, Task task, State around) {
    if (graph.layout() == subgraph.graph().layout()) return given;
    var writes = new ArrayList<Write>(graph.layout().opening(task.id()));
    for (var write : given.writes()) {
      if (shared.contains(write.channel())) throw new SharedInput(graph.name(), write.channel());
      writes.add(write);
    }
    for (var channel : shared) handIn(channel, around, writes);
    return given.with(writes);
  }

  private static <V> void handIn(Channel<V, ?> channel, State around, List<Write> writes) {
    around.find(channel).ifPresent(value -> writes.add(new Write.Overwrite<>(channel, value)));
  }

  /// What is kept, with what cannot be kept as it stands in the outer graph.
  Snapshot refilled(Snapshot kept, State around) {
    if (shared.stream().allMatch(Channel::isTracked)) return kept;
    var cells = kept.copyCells();
    for (var channel : shared) {
      if (channel.isTracked()) continue;
      cells.put(kept.layout().place(channel), around.find(channel).orElse(null));
    }
    return new Snapshot(kept.layout(), cells, kept.position());
  }
}
