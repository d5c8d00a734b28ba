package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.GraphShapes;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.run.Migration;
import dev.superstep.topology.Topology;
import dev.superstep.topology.TopologyDiff;
import dev.superstep.topology.TopologyDiff.Change;
import dev.superstep.topology.TopologyDiff.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the migrations from another shape of a graph to this one, or reports why there are none.
/// Immutable.
public record MigrationPlan(List<Migration> known, boolean allowed) {
  private static final int MOST = 1_000;
  private static final Pattern TYPES = Pattern.compile("^([0-9a-f]{32})-[0-9a-f]{8}");

  static MigrationPlan of(RunSettings options) {
    return new MigrationPlan(options.migrations(), options.isTopologyChangeAllowed());
  }

  /// The migrations to be applied one after the other; none if the shape is the same.
  ///
  /// @throws ThreadError if there is no way
  List<MigrationStep> from(Checkpoint checkpoint, CompiledGraph graph, Context context) {
    var start = checkpoint.graphHash();
    if (start.equals(graph.hash())) return List.of();
    if (!checkpoint.graph().equals(graph.name())) throw refusal(checkpoint, graph, context);
    var way = new ArrayList<MigrationStep>();
    var at = start;
    // Where the way comes to the shape, but not to its types: it may end here.
    int reached = untyped(at).equals(untyped(graph.hash())) ? 0 : -1;
    for (var next = next(at); next.isPresent() && way.size() < MOST; next = next(at)) {
      way.add(new MigrationStep(next.get()));
      at = next.get().to();
      if (at.equals(graph.hash())) return way;
      if (reached < 0 && untyped(at).equals(untyped(graph.hash()))) reached = way.size();
    }
    if (reached < 0) return allowed(checkpoint, graph, context);
    if (reached > 0) return way.subList(0, reached);
    // Before versions looked at types, this was all of the identity.
    if (isUntyped(start)) return List.of();
    return List.of(new MigrationStep(Migration.between(start, graph.hash())));
  }

  /// Returns whether two identities are of the same topology: versions that did not look at types
  /// gave only the first part.
  public static boolean isSame(String saved, String now) {
    return saved.equals(now) || (isUntyped(saved) && saved.equals(untyped(now)));
  }

  /// Returns whether the supersteps that a shape of a graph saved can be compared with those of
  /// this one: it is the same, or only has more channels, which begin as in a new thread.
  public static boolean isComparable(Checkpoint saved, CompiledGraph graph, Checkpointer store) {
    if (isSame(saved.graphHash(), graph.hash())) return true;
    var before = described(saved, store);
    if (before.isEmpty() || !graph.hash(before.get()).equals(saved.graphHash())) return false;
    return TopologyDiff.between(before.get(), graph.topology()).changes().stream()
        .allMatch(change -> change instanceof Change.Added added && added.part() == Part.CHANNEL);
  }

  private static boolean isUntyped(String hash) {
    return untyped(hash).equals(hash);
  }

  private static String untyped(String hash) {
    return TYPES.matcher(hash).replaceFirst("$1");
  }

  /// The thread and its store.
  record Context(String thread, Checkpointer store) {}

  private Optional<Migration> next(String hash) {
    var exact = known.stream().filter(m -> m.from().equals(hash)).findFirst();
    if (exact.isPresent()) return exact;
    // Written when versions did not look at types.
    return known.stream().filter(m -> m.from().equals(untyped(hash))).findFirst();
  }

  private List<MigrationStep> allowed(Checkpoint checkpoint, CompiledGraph graph, Context context) {
    if (allowed || onlyAddsChannels(checkpoint, graph, context)) {
      return List.of(new MigrationStep(Migration.between(checkpoint.graphHash(), graph.hash())));
    }
    throw refusal(checkpoint, graph, context);
  }

  private static ThreadError refusal(Checkpoint checkpoint, CompiledGraph graph, Context context) {
    if (!checkpoint.graph().equals(graph.name())) {
      return new ThreadError(
          context.thread(),
          ThreadError.Reason.OTHER_GRAPH,
          "belongs to graph `%s`, not to `%s`. Use another thread."
              .formatted(checkpoint.graph(), graph.name()));
    }
    return new ThreadError(
        context.thread(),
        ThreadError.Reason.OTHER_GRAPH,
        ("was saved by another shape of graph `%s`, %s; this one is %s.%sFinish the thread"
                + " with the program that began it, give the run a migration between the two, or"
                + " allow the change by `RunOptions.allowTopologyChange()`.")
            .formatted(
                graph.name(),
                checkpoint.graphHash(),
                graph.hash(),
                changes(checkpoint, graph, context.store())));
  }

  /// Returns whether the graph has more channels and is the same otherwise, records excepted:
  /// whether those can be read is checked when the thread is migrated. New channels begin as in a
  /// new thread, so nothing that was saved is lost. In the middle of a run they must begin with a
  /// value: a pending node may count on one that an earlier node would have written.
  private static boolean onlyAddsChannels(
      Checkpoint checkpoint, CompiledGraph graph, Context context) {
    var before = described(checkpoint, context.store());
    if (before.isEmpty()) return false;
    // This includes the channels that a shared graph has from its outer graph.
    if (!graph.hash(before.get()).equals(checkpoint.graphHash())) return false;
    var at = checkpoint.progress();
    boolean isAtRest = at.next().isEmpty() && at.held().isEmpty();
    return TopologyDiff.between(before.get(), graph.topology()).changes().stream()
        .allMatch(change -> isOfRecords(change) || isNewChannel(change, graph, isAtRest));
  }

  private static boolean isOfRecords(Change change) {
    return change instanceof Change.Altered altered
        && altered.details().stream().allMatch(detail -> detail.property().equals("record"));
  }

  private static boolean isNewChannel(Change change, CompiledGraph graph, boolean isAtRest) {
    if (!(change instanceof Change.Added(var path, var part, var name, _))) return false;
    if (part != Part.CHANNEL) return false;
    // Channels added to a subgraph are checked when that is migrated.
    return isAtRest || !path.isEmpty() || graph.index().begins(name);
  }

  /// The shape that saved a checkpoint, if it is known.
  static Optional<Topology> described(Checkpoint checkpoint, Checkpointer store) {
    try {
      return store
          .capability(GraphShapes.class)
          .flatMap(shapes -> shapes.described(checkpoint.graph(), checkpoint.graphHash()))
          .map(shape -> Topology.parse(Json.unchecked(shape)));
    } catch (MalformedJson _) {
      // The store has other content; then the changes are unknown.
      return Optional.empty();
    }
  }

  private static String changes(Checkpoint checkpoint, CompiledGraph graph, Checkpointer store) {
    return described(checkpoint, store)
        .map(before -> TopologyDiff.between(before, graph.topology()))
        .filter(diff -> !diff.isEmpty())
        .map(diff -> " What has changed:\n" + diff.text().strip() + "\n")
        .orElse(" ");
  }
}
