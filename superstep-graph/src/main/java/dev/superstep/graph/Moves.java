package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.topology.Topology;
import dev.superstep.topology.TopologyDiff;
import dev.superstep.topology.TopologyDiff.Change;
import dev.superstep.topology.TopologyDiff.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds how what another shape of a graph saved can be carried over to this one, or tells why it
/// cannot. Immutable.
record Moves(List<Migration> known, boolean allowed) {
  private static final int MOST = 1_000;

  static Moves of(RunOptions options) {
    return new Moves(options.migrations(), options.isTopologyChangeAllowed());
  }

  /// The migrations to be applied one after the other; none if the shape is the same.
  ///
  /// @throws ThreadError if there is no way
  List<Moving> from(Checkpoint checkpoint, Graph graph, Context context) {
    var way = new ArrayList<Moving>();
    var at = checkpoint.graphHash();
    while (!at.equals(graph.hash())) {
      var next = checkpoint.graph().equals(graph.name()) ? next(at) : Optional.<Migration>empty();
      if (next.isEmpty() || way.size() > MOST) return allowed(checkpoint, graph, context);
      way.add(new Moving(next.get()));
      at = next.get().to();
    }
    return way;
  }

  /// Where the thread is kept.
  record Context(String thread, Checkpointer store) {}

  private Optional<Migration> next(String hash) {
    return known.stream().filter(m -> m.from().equals(hash)).findFirst();
  }

  private List<Moving> allowed(Checkpoint checkpoint, Graph graph, Context context) {
    if (!checkpoint.graph().equals(graph.name())) throw refusal(checkpoint, graph, context);
    if (allowed || onlyAddsChannels(checkpoint, graph, context)) {
      return List.of(new Moving(Migration.between(checkpoint.graphHash(), graph.hash())));
    }
    throw refusal(checkpoint, graph, context);
  }

  private static ThreadError refusal(Checkpoint checkpoint, Graph graph, Context context) {
    if (!checkpoint.graph().equals(graph.name())) {
      return new ThreadError(
          context.thread(),
          ThreadError.Reason.OTHER_GRAPH,
          "belongs to graph `"
              + checkpoint.graph()
              + "`, not to `"
              + graph.name()
              + "`. Use another thread.");
    }
    return new ThreadError(
        context.thread(),
        ThreadError.Reason.OTHER_GRAPH,
        "was saved by another shape of graph `"
            + graph.name()
            + "`, "
            + checkpoint.graphHash()
            + "; this one is "
            + graph.hash()
            + "."
            + changes(checkpoint, graph, context.store())
            + "Finish the thread with the program that began it, give the run a migration between"
            + " the two, or allow the change by `RunOptions.allowTopologyChange()`.");
  }

  /// Whether the graph has more channels and is the same otherwise. They begin as in a new thread,
  /// so nothing of what was saved is lost. In the midst of a run they must begin with a value: a
  /// node that is due may count on one that an earlier node would have written.
  private static boolean onlyAddsChannels(Checkpoint checkpoint, Graph graph, Context context) {
    var before = described(checkpoint, context.store());
    if (before.isEmpty()) return false;
    // What a shared graph has of the one around is the same, too.
    if (!graph.hash(before.get()).equals(checkpoint.graphHash())) return false;
    var at = checkpoint.progress();
    boolean isAtRest = at.next().isEmpty() && at.held().isEmpty();
    return TopologyDiff.between(before.get(), graph.topology()).changes().stream()
        .allMatch(change -> isNewChannel(change, graph, isAtRest));
  }

  private static boolean isNewChannel(Change change, Graph graph, boolean isAtRest) {
    if (!(change instanceof Change.Added(var path, var part, var name, _))) return false;
    if (part != Part.CHANNEL) return false;
    // What a graph inside has more is looked at when that is carried over.
    return isAtRest || !path.isEmpty() || graph.layout().begins(name);
  }

  /// The shape that saved a checkpoint, if it is known.
  static Optional<Topology> described(Checkpoint checkpoint, Checkpointer store) {
    try {
      return store
          .described(checkpoint.graph(), checkpoint.graphHash())
          .map(shape -> Topology.parse(new Json(shape)));
    } catch (MalformedJson _) {
      // The store holds something else; then nobody can say what has changed.
      return Optional.empty();
    }
  }

  private static String changes(Checkpoint checkpoint, Graph graph, Checkpointer store) {
    return described(checkpoint, store)
        .map(before -> TopologyDiff.between(before, graph.topology()))
        .filter(diff -> !diff.isEmpty())
        .map(diff -> " What has changed:\n" + diff.text().strip() + "\n")
        .orElse(" ");
  }
}
