package dev.superstep.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where and when an event happened.
///
/// @param run one invocation or resumption
/// @param thread the thread, if the run has one
/// @param graph the graph in which it happened
/// @param path the nodes that lead to that graph, outermost first; empty for the run's own graph
/// @param sequence counts the events of the run from 1, in order; without gaps for a listener that
///   asked for every [Detail] that any listener of the run asked for
/// @param step the superstep of that graph, from 1; 0 before the first
/// @param labels what the caller attached to all events of the run
/// @param provisional whether it is about something that may be lost, or void, if the process dies
///   now; see [Event#isProvisional]
public record Origin(
    String run,
    Optional<String> thread,
    String graph,
    List<String> path,
    long sequence,
    Instant at,
    int step,
    Map<String, String> labels,
    // Written only where it is true; older programs never wrote it.
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean provisional) {
  /// Returns a copy with another sequence number.
  public Origin numbered(long place) {
    return new Origin(run, thread, graph, path, place, at, step, labels, provisional);
  }

  /// Returns a copy with other labels.
  public Origin labelled(Map<String, String> others) {
    return new Origin(run, thread, graph, path, sequence, at, step, others, provisional);
  }

  /// Returns a copy for an event that is void if its task does not finish, or not safe yet.
  public Origin asProvisional() {
    return new Origin(run, thread, graph, path, sequence, at, step, labels, true);
  }
}
