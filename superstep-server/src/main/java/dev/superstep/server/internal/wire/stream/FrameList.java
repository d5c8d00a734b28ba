package dev.superstep.server.internal.wire.stream;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The frames of one event, in the modes that a run is streamed in. For one event.
final class FrameList {
  private final RunContext run;
  private final String namespace;
  private final List<RunFrame> frames = new ArrayList<>();

  /// @param namespace of the graph in which the event happened
  FrameList(RunContext run, String namespace) {
    this.run = run;
    this.namespace = namespace;
  }

  boolean has(StreamMode mode) {
    return run.modes().contains(mode) && (namespace.isEmpty() || run.subgraphs());
  }

  void add(StreamMode mode, JsonNode data) {
    if (has(mode)) add(mode.event(), data);
  }

  /// Adds a frame whatever the modes.
  void add(String event, JsonNode data) {
    frames.add(new RunFrame(namespace.isEmpty() ? event : event + "|" + namespace, data));
  }

  List<RunFrame> all() {
    return List.copyOf(frames);
  }
}
