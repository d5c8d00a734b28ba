package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.SubgraphThread;
import dev.superstep.run.ThreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The checkpoints of one graph of a thread: of the thread's own, or of one inside a task.
/// Immutable.
sealed interface CheckpointLine {
  /// So many are read at once.
  int PAGE = 100;

  /// So many are looked at in search of one.
  int SEARCH_MAX = 20_000;

  /// The JSON forms of the graph.
  GraphWire wire();

  /// Empty for the thread's own graph.
  String namespace();

  /// The checkpoints of the graphs around, by their namespaces.
  Map<String, String> around();

  Optional<ThreadState> state();

  Optional<ThreadState> state(String checkpoint);

  List<Checkpoint> page(Map<String, String> metadata, Optional<String> before, int limit);

  Optional<Checkpoint> find(String id);

  /// The graph of a task, with its checkpoints.
  ///
  /// @param checkpoint from which the task runs
  Inner inside(String checkpoint, DueTask task);

  /// A task from which a graph inside hangs.
  ///
  /// @param name as the engine names it in its graph: `each#7`
  record DueTask(String id, String node, String name) {}

  /// The thread's own.
  record Outer(GraphWire wire, Checkpointer store, String thread) implements CheckpointLine {
    private RunOptions options() {
      return wire.served().options().apply(RunOptions.defaults()).on(thread, store);
    }

    private Lineage lineage() {
      return Lineage.of(thread);
    }

    @Override
    public String namespace() {
      return "";
    }

    @Override
    public Map<String, String> around() {
      return Map.of();
    }

    @Override
    public Optional<ThreadState> state() {
      return wire.graph().state(options());
    }

    @Override
    public Optional<ThreadState> state(String checkpoint) {
      return wire.graph().state(checkpoint, options());
    }

    @Override
    public List<Checkpoint> page(Map<String, String> metadata, Optional<String> before, int limit) {
      return store.page(lineage(), metadata, before, limit);
    }

    @Override
    public Optional<Checkpoint> find(String id) {
      return store.byId(lineage(), id).map(Saved::checkpoint);
    }

    @Override
    public Inner inside(String checkpoint, DueTask task) {
      var inner = wire.graph().subgraph(checkpoint, task.name(), options());
      var wireInside = wire.inside(task.node()).orElse(wire);
      var namespace = WireIds.segment(task.node(), task.id());
      return new Inner(wireInside, inner, namespace, Map.of("", checkpoint));
    }
  }

  /// A line inside a task.
  record Inner(GraphWire wire, SubgraphThread thread, String namespace, Map<String, String> around)
      implements CheckpointLine {
    @Override
    public Optional<ThreadState> state() {
      return thread.state();
    }

    @Override
    public Optional<ThreadState> state(String checkpoint) {
      return thread.state(checkpoint);
    }

    @Override
    public List<Checkpoint> page(Map<String, String> metadata, Optional<String> before, int limit) {
      if (metadata.isEmpty()) return thread.history(before, limit);
      var found = new ArrayList<Checkpoint>();
      var seen = before;
      for (int looked = 0; looked < SEARCH_MAX; looked += PAGE) {
        var some = thread.history(seen, PAGE);
        for (var one : some) {
          if (one.hasMetadata(metadata)) found.add(one);
          if (found.size() == limit) return List.copyOf(found);
        }
        if (some.size() < PAGE) break;
        seen = Optional.of(some.getLast().id());
      }
      return List.copyOf(found);
    }

    @Override
    public Optional<Checkpoint> find(String id) {
      return search(this, checkpoint -> checkpoint.id().equals(id));
    }

    @Override
    public Inner inside(String checkpoint, DueTask task) {
      var outer = new java.util.LinkedHashMap<>(around);
      outer.put(namespace, checkpoint);
      return new Inner(
          wire.inside(task.node()).orElse(wire),
          thread.subgraph(checkpoint, task.name()),
          namespace + "|" + WireIds.segment(task.node(), task.id()),
          java.util.Collections.unmodifiableMap(outer));
    }
  }

  /// The newest checkpoint that is as wanted.
  static Optional<Checkpoint> search(
      CheckpointLine line, java.util.function.Predicate<Checkpoint> wanted) {
    var seen = Optional.<String>empty();
    for (int looked = 0; looked < SEARCH_MAX; looked += PAGE) {
      var some = line.page(Map.of(), seen, PAGE);
      for (var one : some) if (wanted.test(one)) return Optional.of(one);
      if (some.size() < PAGE) break;
      seen = Optional.of(some.getLast().id());
    }
    return Optional.empty();
  }

  /// Returns whether a checkpoint only takes the thread back, so that clients see what it was made
  /// of in its place.
  static boolean isRewind(Checkpoint checkpoint) {
    return origin(checkpoint).isPresent();
  }

  private static Optional<String> origin(Checkpoint checkpoint) {
    return checkpoint
        .origin()
        .filter(origin -> origin.kind() != ForkOrigin.Kind.FORK)
        .map(ForkOrigin::checkpoint);
  }

  /// The checkpoint before, as clients see it: through those that only take the thread back.
  default Optional<String> parent(Checkpoint checkpoint) {
    var at = isRewind(checkpoint) ? origin(checkpoint) : checkpoint.parent();
    for (int i = 0; i < SEARCH_MAX && at.isPresent(); i++) {
      var before = find(at.get()).filter(CheckpointLine::isRewind);
      if (before.isEmpty()) return at;
      at = origin(before.get());
    }
    return at;
  }
}
