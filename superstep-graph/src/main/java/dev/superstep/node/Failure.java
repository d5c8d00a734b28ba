package dev.superstep.node;

import dev.superstep.json.Json;
import java.util.Optional;

/// A failed node, as its handler sees it. Immutable.
///
/// @param node the node that failed
/// @param task the id of its task
/// @param code the code of a Superstep error, else the class of the exception
/// @param message why it failed, for people
/// @param attempts how often it was tried
/// @param argument what the node had been sent, as it is stored, if it was sent something
public record Failure(
    String node, String task, String code, String message, int attempts, Optional<Json> argument) {}
