package dev.superstep.checkpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A point from which a run can go on: which superstep it is, and what is due next. The channel
/// values are kept beside it, as [SavedChannel]s.
///
/// @param id unique; ids of one thread sort by time
/// @param parent the checkpoint before, if any
/// @param step the superstep that ended here; 0 for the first input
/// @param source what made it
/// @param run the run that wrote it
/// @param graph the name of the graph
/// @param graphHash the identity of its topology
/// @param next what runs in the next superstep, in task order; empty when the run is done
/// @param arrived for each join in progress, by name, the nodes that have finished
/// @param metadata what the caller attached to the run
public record Checkpoint(
    int format,
    String id,
    Optional<String> parent,
    int step,
    Source source,
    Instant at,
    String run,
    String graph,
    String graphHash,
    List<Scheduled> next,
    Map<String, Set<String>> arrived,
    Map<String, String> metadata) {
  /// The format that this version writes.
  public static final int FORMAT = 1;

  public Checkpoint {
    next = List.copyOf(next);
  }

  /// What made a checkpoint.
  public enum Source {
    /// New input was folded in.
    INPUT,
    /// A superstep ended.
    LOOP
  }
}
