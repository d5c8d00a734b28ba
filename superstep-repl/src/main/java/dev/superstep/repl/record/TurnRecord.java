package dev.superstep.repl.record;

import dev.superstep.model.Usage;

/// A reply of the model that writes cells, and what it took. Stored with the thread:
/// [dev.superstep.repl.agent.ReplAgent#TURNS]. Immutable.
///
/// @param run of the agent
/// @param parent the run that called this one; empty if none did
/// @param told the last message that the model was given; empty if it read the text itself
/// @param reply its text
/// @param route `session`, or `direct` if the model read the text itself
/// @param model that replied
public record TurnRecord(
    String run,
    String parent,
    String told,
    String reply,
    String route,
    String model,
    Usage usage) {}
