package dev.superstep.run;

import java.util.List;
import java.util.Optional;

/// The result of a [dev.superstep.graph.Replay]. Immutable.
///
/// @param supersteps how many were run again and agreed, those of subgraphs included
/// @param divergence the first place that did not agree; nothing after it was run
/// @param uncompared what could not be run again, each with the reason
public record ReplayResult(
    int supersteps, Optional<Divergence> divergence, List<String> uncompared) {
  public ReplayResult {
    uncompared = List.copyOf(uncompared);
  }

  /// Returns whether everything could be compared, and agreed.
  public boolean isEqual() {
    return divergence.isEmpty() && uncompared.isEmpty();
  }

  /// For people.
  public String text() {
    var text = new StringBuilder();
    text.append(supersteps == 1 ? "1 superstep agrees" : supersteps + " supersteps agree");
    text.append(".\n");
    for (var one : uncompared) text.append("Not compared: ").append(one).append(".\n");
    divergence.ifPresent(found -> text.append(found.text()));
    return text.toString();
  }
}
