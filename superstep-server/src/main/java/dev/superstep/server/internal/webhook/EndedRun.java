package dev.superstep.server.internal.webhook;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A run that has ended, as its webhook tells of it. Immutable.
///
/// @param run the run as clients know it, with its `run_id` and its status at the end
/// @param started empty if it never ran
/// @param values the state of its thread
/// @param error why it failed
public record EndedRun(
    ObjectNode run,
    Optional<Instant> started,
    Instant ended,
    JsonNode values,
    Optional<JsonNode> error) {}
