package dev.superstep.checkpoint;

import dev.superstep.json.InvalidName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A point from which a run can continue: its superstep, and the tasks that are due next. The
/// values of the channels are stored beside it, as [SavedChannel]s.
///
/// @param id unique; ids of one thread sort by time
/// @param parent the checkpoint before, if any; it may have been deleted since
/// @param generation the beginning of the ids of its tasks: the same from an input, an edit or a
///   fork to the next one, and different from all others; of a checkpoint of format 1 its own id
/// @param step the superstep that ended here; 0 for the first input, -1 before it
/// @param source what made it
/// @param run the run that wrote it
/// @param graph the name of the graph
/// @param graphHash the identity of its topology
/// @param progress the state of the run besides values
/// @param metadata what the caller attached to the run
public record Checkpoint(
    int format,
    String id,
    Optional<String> parent,
    String generation,
    int step,
    Source source,
    Instant at,
    String run,
    String graph,
    String graphHash,
    Progress progress,
    Map<String, String> metadata) {
  public Checkpoint {
    InvalidName.check("Checkpoint", id);
    InvalidName.check("Generation", generation);
    InvalidName.check("Run", run);
    for (var name : metadata.keySet()) InvalidName.check("Metadata", name);
  }

  /// The format that this version writes.
  public static final int FORMAT = 2;

  /// The operation that made a checkpoint.
  public enum Source {
    /// New input was folded in.
    INPUT,
    /// A superstep ended.
    LOOP,
    /// Somebody changed the state.
    UPDATE,
    /// It has the content of an older one.
    FORK,
    /// It was carried over to a graph of another shape.
    MIGRATION
  }

  /// The checkpoint that a fork or a rewind was made of; empty for all others, and for those that
  /// were made before this was stored.
  public Optional<ForkOrigin> origin() {
    return progress.origin();
  }

  /// Returns whether it has all these entries of metadata.
  public boolean hasMetadata(Map<String, String> wanted) {
    return metadata.entrySet().containsAll(wanted.entrySet());
  }

  /// Returns a copy with another id.
  public Checkpoint withId(String other) {
    return new Checkpoint(
        format,
        other,
        parent,
        generation,
        step,
        source,
        at,
        run,
        graph,
        graphHash,
        progress,
        metadata);
  }

  /// The start of the ids of its tasks, but those that it took over from another checkpoint.
  public String scope() {
    return TaskId.of(generation, step + 1);
  }

  /// The ids of the tasks that are due, in task order.
  public List<String> tasks() {
    var next = progress.next();
    var ids = new ArrayList<String>(next.size());
    for (int i = 0; i < next.size(); i++) ids.add(task(next.get(i), i));
    return List.copyOf(ids);
  }

  private String task(PendingNode due, int place) {
    if (due.task().isPresent()) return due.task().get();
    boolean several = due.argument().isPresent() || due.activation() instanceof Activation.Resumed;
    return several
        ? TaskId.of(generation, step + 1, due.node(), place)
        : TaskId.of(generation, step + 1, due.node());
  }
}
