package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpoint.Source;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.SubgraphThread;
import dev.superstep.json.SuperstepException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The states of threads of one graph, as clients see them. Immutable.
///
/// LangGraph saves two checkpoints of an input and the engine one; so the one is shown as two, of
/// which the older has no content of its own. Checkpoints that only take a thread back are not
/// shown, unless they are the newest.
public final class ThreadStates {
  private final GraphWire wire;
  private final Checkpointer store;

  public ThreadStates(GraphWire wire, Checkpointer store) {
    this.wire = wire;
    this.store = store;
  }

  /// A checkpoint that a client named, as the engine knows it.
  ///
  /// @param inside the graph inside the thread that it belongs to; absent if it is the thread's own
  /// @param checkpoint its id, or that of the input before which it is
  /// @param isBeforeInput whether the state before an input is meant
  /// @param rewindTo the checkpoint to go back to: itself, or the one before the input; absent if
  ///   that is the empty thread
  public record Place(
      Optional<SubgraphThread> inside,
      String checkpoint,
      boolean isBeforeInput,
      Optional<String> rewindTo) {}

  /// The newest state; of a thread without checkpoints an empty one.
  public ObjectNode latest(String thread, boolean subgraphs) {
    var json = new StateJson(thread, outer(thread), subgraphs);
    return json.newest().orElseGet(json::empty);
  }

  /// The state at a checkpoint, or empty if there is no such checkpoint.
  public Optional<ObjectNode> at(String thread, CheckpointRef ref, boolean subgraphs) {
    var line = line(thread, ref.namespace());
    if (line.isEmpty()) return Optional.empty();
    var json = new StateJson(thread, line.get(), subgraphs);
    if (ref.id().isEmpty()) return json.newest();
    var id = ref.id().get();
    var found = line.get().find(id);
    if (found.isPresent()) return isNewest(line.get(), id) ? json.newest() : json.at(found.get());
    return input(line.get(), id).map(json::beforeInput);
  }

  private static boolean isNewest(CheckpointLine line, String id) {
    var newest = line.page(java.util.Map.of(), Optional.empty(), 1);
    return !newest.isEmpty() && newest.getFirst().id().equals(id);
  }

  /// The input before which a checkpoint of this id is.
  private static Optional<Checkpoint> input(CheckpointLine line, String id) {
    return WireIds.after(id).flatMap(line::find).filter(one -> one.source() == Source.INPUT);
  }

  /// The states of the past, newest first.
  public List<ObjectNode> history(String thread, HistoryQuery query) {
    var line = line(thread, query.of().namespace());
    return line.isEmpty() ? List.of() : new History(thread, line.get(), query).read();
  }

  /// A reading of a history.
  private static final class History {
    private final CheckpointLine line;
    private final HistoryQuery query;
    private final StateJson json;
    private final List<ObjectNode> states = new ArrayList<>();

    History(String thread, CheckpointLine line, HistoryQuery query) {
      this.line = line;
      this.query = query;
      this.json = new StateJson(thread, line, false);
    }

    List<ObjectNode> read() {
      var seen = begin();
      boolean isFirst = seen.isEmpty();
      for (int looked = 0; looked < CheckpointLine.SEARCH_MAX && !isFull(); ) {
        int most = Math.clamp(query.limit() - states.size(), 1, CheckpointLine.PAGE);
        var some = line.page(query.metadata(), seen, most);
        for (var one : some) {
          add(one, isFirst);
          isFirst = false;
        }
        if (some.size() < most) break;
        seen = Optional.of(some.getLast().id());
        looked += some.size();
      }
      return List.copyOf(states);
    }

    private boolean isFull() {
      return states.size() >= query.limit();
    }

    /// Adds what comes before the page, and returns the checkpoint before which the page begins.
    private Optional<String> begin() {
      if (query.before().isPresent()) return before(query.before().get());
      var from = query.of().id();
      if (from.isEmpty()) return from;
      var first = line.find(from.get()).filter(one -> one.hasMetadata(query.metadata()));
      if (first.isPresent()) add(first.get(), isNewest(line, from.get()));
      else ThreadStates.input(line, from.get()).map(json::beforeInput).ifPresent(states::add);
      return before(from.get());
    }

    private Optional<String> before(String id) {
      var found = line.find(id);
      if (found.isPresent()) {
        if (!states.isEmpty()) return Optional.of(id);
        input(found.get());
        return Optional.of(id);
      }
      return ThreadStates.input(line, id).map(Checkpoint::id).or(() -> Optional.of(id));
    }

    private void add(Checkpoint checkpoint, boolean isNewest) {
      if (isFull() || (CheckpointLine.isRewind(checkpoint) && !isNewest)) return;
      (isNewest ? json.newest() : json.at(checkpoint)).ifPresent(states::add);
      input(checkpoint);
    }

    private void input(Checkpoint checkpoint) {
      if (isFull() || checkpoint.source() != Source.INPUT) return;
      if (!checkpoint.hasMetadata(query.metadata())) return;
      if (WireIds.before(checkpoint.id()).isPresent()) states.add(json.beforeInput(checkpoint));
    }
  }

  /// Finds the checkpoint that a client means, or empty if there is none.
  public Optional<Place> resolve(String thread, CheckpointRef ref) {
    var line = line(thread, ref.namespace());
    if (line.isEmpty()) return Optional.empty();
    var at = line.get();
    var inside =
        at instanceof CheckpointLine.Inner inner
            ? Optional.of(inner.thread())
            : Optional.<SubgraphThread>empty();
    var id = ref.id().or(() -> newest(at));
    if (id.isEmpty()) return Optional.empty();
    if (at.find(id.get()).isPresent()) {
      return Optional.of(new Place(inside, id.get(), false, id));
    }
    return input(at, id.get()).map(input -> new Place(inside, input.id(), true, at.parent(input)));
  }

  private static Optional<String> newest(CheckpointLine line) {
    return line.page(java.util.Map.of(), Optional.empty(), 1).stream()
        .findFirst()
        .map(Checkpoint::id);
  }

  private CheckpointLine outer(String thread) {
    return new CheckpointLine.Outer(wire, store, thread);
  }

  /// The checkpoints of a namespace, or empty if the thread has no such graph.
  private Optional<CheckpointLine> line(String thread, String namespace) {
    CheckpointLine line = outer(thread);
    if (namespace.isEmpty()) return Optional.of(line);
    try {
      for (var segment : namespace.split("\\|", -1)) {
        var inner = inside(line, segment);
        if (inner.isEmpty()) return Optional.empty();
        line = inner.get();
      }
      // A task of which nothing is saved inside is found as well.
      return line.state().isEmpty() ? Optional.empty() : Optional.of(line);
    } catch (SuperstepException _) {
      // The engine does not know the place.
      return Optional.empty();
    }
  }

  private static Optional<CheckpointLine> inside(CheckpointLine line, String segment) {
    int colon = segment.lastIndexOf(':');
    if (colon < 0) return Optional.empty();
    var node = segment.substring(0, colon);
    var wanted = segment.substring(colon + 1);
    var found = CheckpointLine.search(line, one -> place(one, wanted) >= 0);
    if (found.isEmpty() || line.wire().inside(node).isEmpty()) return Optional.empty();
    var checkpoint = found.get();
    int place = place(checkpoint, wanted);
    var due = checkpoint.progress().next().get(place);
    if (!due.node().equals(node)) return Optional.empty();
    boolean isOneOfSeveral =
        due.argument().isPresent() || due.activation() instanceof Activation.Resumed;
    var name = isOneOfSeveral ? node + "#" + place : node;
    var task = new CheckpointLine.DueTask(checkpoint.tasks().get(place), node, name);
    return Optional.of(line.inside(checkpoint.id(), task));
  }

  /// The place of a task among those that are due at a checkpoint, or -1.
  private static int place(Checkpoint checkpoint, String wanted) {
    var tasks = checkpoint.tasks();
    for (int i = 0; i < tasks.size(); i++) {
      if (WireIds.task(tasks.get(i)).equals(wanted)) return i;
    }
    return -1;
  }
}
