package dev.superstep.checkpoint;

import dev.superstep.json.Json;

/// The answer to an [Interrupt]. JSON null is an answer.
///
/// @param interrupt the id of the interrupt
public record Answer(String interrupt, Json value) {}
