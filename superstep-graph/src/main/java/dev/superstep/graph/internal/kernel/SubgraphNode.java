package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.error.InvalidUse;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A subgraph in its place in another graph. Immutable.
///
/// @param graph what runs; it may have more channels than the one that was given
/// @param shared the channels that both graphs declare, if they are shared
public record SubgraphNode(
    SubgraphSpec<?> subgraph, CompiledGraph graph, List<Channel<?, ?>> shared)
    implements EngineContext.InnerGraph {
  /// A graph that code of a node runs, with channels of its own.
  ///
  /// @param isRemembering whether it continues a memory, and leaves one
  /// @param output takes its final state
  public static SubgraphNode inside(
      CompiledGraph graph, boolean isRemembering, Function<State, NodeResult> output) {
    var how = isRemembering ? SubgraphPersistence.REMEMBERED : SubgraphPersistence.APART;
    return of(
        new SubgraphSpec<>(graph, _ -> Input.none(), output, how, null, null, null), List.of());
  }

  /// @param around the channels of the outer graph
  static SubgraphNode of(SubgraphSpec<?> subgraph, List<Channel<?, ?>> around) {
    var graph = subgraph.graph();
    List<Channel<?, ?>> shared = List.of();
    var index = graph.index();
    SharedWrites sharedWrites = null;
    if (subgraph.isShared()) {
      shared = shared(graph, around);
      sharedWrites = new SharedWrites(index.free("outbox"), shared);
      index = index.with(sharedWrites.channel());
    }
    if (subgraph.persistence() == SubgraphPersistence.REMEMBERED) {
      index = index.owned(Channel.latest(index.free("owner"), String.class));
    }
    if (index == graph.index()) return new SubgraphNode(subgraph, graph, shared);
    // The checkpoints of one shape are of no use to the other.
    var names = shared.stream().map(Channel::name).collect(Collectors.joining(","));
    return new SubgraphNode(subgraph, graph.with(index, sharedWrites, "+" + names), shared);
  }

  /// The questions of the graph as the graphs around know them. They cannot know those of a graph
  /// that is chosen when it runs, so one of the node's own stands for each.
  public List<Interrupt> standing(List<Interrupt> questions) {
    var standing = subgraph.standing();
    if (standing == null) return questions;
    return questions.stream()
        .map(each -> each.asked(standing.name(), standing.answer().type()))
        .toList();
  }

  public static List<Channel<?, ?>> shared(CompiledGraph graph, List<Channel<?, ?>> around) {
    return graph.index().declared().stream()
        // Tokens are consumed within one graph.
        .filter(c -> !c.reducer().isConsumed() && around.stream().anyMatch(other -> other == c))
        .toList();
  }

  /// Returns the store of its checkpoints, or null if nothing is saved.
  public @Nullable Checkpointer store(RunSettings around) {
    var outer = around.checkpointer().orElse(null);
    if (outer == null || subgraph.persistence() == SubgraphPersistence.NOTHING) return null;
    return subgraph.store() == null ? outer : subgraph.store();
  }

  /// Returns the lineages in which an activation may have begun. One that has not begins in the
  /// first, or in the last if other activations have continued from there.
  ///
  /// @param path the nodes that lead to it, with its own
  public List<Lineage> lineages(String thread, Task task, List<String> path) {
    // The id of the task is unique in the thread, and the same when the task runs again.
    if (!remembers()) return List.of(new Lineage(thread, task.id()));
    var begun = Lineage.ofMemory(thread, owner(task));
    var left = left(task);
    if (left.isPresent()) return List.of(new Lineage(thread, left.get().namespace()), begun);
    return List.of(task.memories().isWhole() ? begun : Lineage.remembered(thread, path));
  }

  /// Returns whether several tasks share the saved state, so that its owner must be checked.
  public boolean isOwned() {
    return graph.index().owner() != null;
  }

  public boolean remembers() {
    return subgraph.persistence() == SubgraphPersistence.REMEMBERED;
  }

  /// Returns the memory that the previous activation left, as far as the outer graph knows.
  public Optional<Memory> left(Task task) {
    return task.memories().at(path(task));
  }

  public static String path(Task task) {
    return Memories.path(task.node());
  }

  /// Names an activation of a graph that remembers by its task and by the memory from which it
  /// continues. Of two activations with the same task and different memories, at most one was ever
  /// published.
  public String owner(Task task) {
    var left = left(task);
    if (left.isPresent()) return task.id() + "@" + left.get().checkpoint();
    // In format 1 it was the task alone.
    return task.memories().isWhole() ? task.id() + "@" : task.id();
  }

  /// Returns whether the saved state is of this very activation.
  public boolean isOf(Task task, Snapshot kept) {
    var channel = graph.index().owner();
    if (channel == null) return true;
    return kept.find(channel)
        .filter(by -> by.equals(owner(task)) || by.equals(task.id()))
        .isPresent();
  }

  /// Returns the state in which a new activation begins, before its input.
  ///
  /// @param kept the final state of the activation before, if it is stored
  public Snapshot from(Optional<Snapshot> kept, Task task) {
    var around = task.memories().below(path(task));
    if (kept.isEmpty()) return Snapshot.initial(graph.index()).with(around);
    // These memories have no checkpoint of this graph, since it handed off.
    var own = kept.get().position().marks().memories();
    return kept.get().with(own.with(around.left()));
  }

  /// Returns the memories that a task leaves to later ones, or null if nothing inside remembers.
  ///
  /// @param lineage of the subgraph
  /// @param at the newest checkpoint
  /// @param last the memories of graphs inside, if the snapshot does not have them
  public @Nullable Map<String, Memory> left(
      Task task, Lineage lineage, Snapshot at, Memories last) {
    if (!subgraph.remembers()) return null;
    var left = new TreeMap<String, Memory>();
    var known = remembers() ? at.position().marks().memories().left() : Map.<String, Memory>of();
    last.left()
        .forEach((path, memory) -> {
          if (!memory.equals(known.get(path))) left.put(Memories.path(path(task), path), memory);
        });
    if (remembers()) {
      left.put(path(task), new Memory(lineage.namespace(), at.position().checkpoint()));
    }
    return left;
  }

  /// Returns the input of a new activation.
  ///
  /// @param given what the subgraph's own function made
  /// @throws InvalidUse if that is to write what is shared
  public Input input(Input given, Task task, State outer) {
    if (graph.index() == subgraph.graph().index()) return given;
    var writes = opening(task);
    for (var write : given.writes()) {
      if (shared.contains(write.channel()))
        throw InvalidUse.sharedInput(graph.name(), write.channel().name());
      writes.add(write);
    }
    for (var channel : shared) handIn(channel, outer, writes);
    return given.with(writes);
  }

  /// The first writes of a new activation to the engine's own channels.
  private List<Write> opening(Task task) {
    var writes = new ArrayList<Write>();
    var owner = graph.index().owner();
    var sharedWrites = graph.sharedWrites();
    if (owner != null) writes.add(new Write.Put<>(owner, owner(task)));
    if (owner != null && sharedWrites != null) writes.add(sharedWrites.emptied());
    return writes;
  }

  private static <V> void handIn(Channel<V, ?> channel, State outer, List<Write> writes) {
    outer.find(channel).ifPresent(value -> writes.add(new Write.Overwrite<>(channel, value)));
  }

  /// Returns the saved state, in which the channels that cannot be saved have their values from the
  /// outer graph.
  public Snapshot refilled(Snapshot kept, State outer) {
    if (shared.stream().allMatch(Channel::isTracked)) return kept;
    var cells = kept.copyCells();
    for (var channel : shared) {
      if (channel.isTracked()) continue;
      cells.put(kept.index().place(channel), outer.find(channel).orElse(null));
    }
    return new Snapshot(kept.index(), cells, kept.position());
  }
}
