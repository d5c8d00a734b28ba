package dev.superstep.checkpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The state of a run between two supersteps besides its values: the tasks that are due, those that
/// wait, and the nodes that ran. If many wait, they are in the checkpoint's channel [#CHANNEL]
/// instead; then `held`, `arrived` and `seen` are empty. Immutable.
///
/// @param next what runs in the next superstep, in task order; empty when the run is done
/// @param held deferred nodes that were activated and run when nothing else is due
/// @param arrived for each join in progress, by name, the nodes that have finished
/// @param seen for each gated node that has run, the versions of its channels that it saw
/// @param ran the nodes that the superstep ran, in task order, each once
/// @param chosen for each router that the matrix overruled in the superstep, its targets; a router
///   is named by its node, with `#2` after that for the node's second
/// @param memories the memories of subgraphs
/// @param origin of a fork: the checkpoint that it was made of; absent from all others, and from
///   forks that were made before origins were stored
public record Progress(
    List<PendingNode> next,
    List<PendingNode> held,
    Map<String, Set<String>> arrived,
    Map<String, Map<String, Long>> seen,
    List<String> ran,
    Map<String, List<String>> chosen,
    Memories memories,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ForkOrigin> origin) {
  /// The list channel in which an engine keeps what waits, if that is much. No graph can have one
  /// of this name.
  public static final String CHANNEL = "~progress";

  public Progress {
    next = List.copyOf(next);
    held = List.copyOf(held);
    ran = List.copyOf(ran);
  }

  /// Returns the progress of a run with these tasks due and nothing else.
  public static Progress of(List<PendingNode> next) {
    return new Progress(
        next, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Memories.NONE, Optional.empty());
  }

  /// Returns a copy with other nodes that are due, now and later.
  public Progress with(List<PendingNode> otherNext, List<PendingNode> otherHeld) {
    return new Progress(otherNext, otherHeld, arrived, seen, ran, chosen, memories, origin);
  }

  /// Returns a copy with other memories.
  public Progress with(Memories other) {
    if (other.equals(memories)) return this;
    return new Progress(next, held, arrived, seen, ran, chosen, other, origin);
  }

  /// Returns a copy for a fork.
  public Progress from(ForkOrigin fork) {
    return new Progress(next, held, arrived, seen, ran, chosen, memories, Optional.of(fork));
  }
}
