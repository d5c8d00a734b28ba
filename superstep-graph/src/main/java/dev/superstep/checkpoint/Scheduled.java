package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.Optional;

/// A node that is due in the next superstep.
///
/// @param argument what it was sent, if it was
public record Scheduled(String node, Activation activation, Optional<Json> argument) {}
