package dev.superstep.server.internal.wire.stream;

import tools.jackson.databind.JsonNode;

/// An event of a run's stream as clients see it. Immutable.
///
/// @param event its name: a mode, and for a graph inside the namespace: `values|child:uuid`
public record RunFrame(String event, JsonNode data) {}
