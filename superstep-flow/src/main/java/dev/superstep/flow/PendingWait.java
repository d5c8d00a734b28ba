package dev.superstep.flow;

import dev.superstep.json.Json;

/// Something that a flow waits for. Immutable.
///
/// @param id unique in the flow; an answer names it
/// @param toolId says what asks, as `Draft::publish` for the tool `publish` of the agent that takes
///   `Draft`; serves as an id while only one thing that is open has it
/// @param question the name of the question: what an answer has to look like
/// @param value what is asked
public record PendingWait(String id, String toolId, String question, Json value) {}
