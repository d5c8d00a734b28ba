package dev.superstep.repl.record;

import dev.superstep.json.Json;

/// The variables that a session begins with, beside its text: `run`, `messages`, `history` and, if
/// the host has one, `state`. Stored with the thread: [dev.superstep.repl.agent.ReplAgent#INPUT].
/// Immutable.
///
/// @param run of the agent
/// @param values an object with a value for each name
public record SessionInput(String run, Json values) {}
