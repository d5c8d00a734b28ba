package dev.superstep.server.internal.wire.stream;

import dev.superstep.event.Origin;
import dev.superstep.server.internal.wire.RunMetadata;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The run of which events are shown. Immutable.
///
/// @param attempt from 1; more after another server took the run over
/// @param metadata of the run, for the metadata of its messages
/// @param inputs how many inputs the thread had before that of the run: [RunMetadata#INPUTS]
/// @param subgraphs whether events of graphs inside are shown
public record RunContext(
    String run,
    String thread,
    String assistant,
    int attempt,
    Map<String, JsonNode> metadata,
    int inputs,
    Set<StreamMode> modes,
    boolean subgraphs) {
  /// Returns a copy for other events.
  public RunContext with(Set<StreamMode> others, boolean inside) {
    return new RunContext(run, thread, assistant, attempt, metadata, inputs, others, inside);
  }

  /// The superstep of an event as LangGraph counts it.
  public int step(Origin origin) {
    return origin.path().isEmpty() ? origin.step() + inputs : origin.step();
  }
}
