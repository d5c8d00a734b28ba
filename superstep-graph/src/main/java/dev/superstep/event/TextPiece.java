package dev.superstep.event;

/// A piece of what a model says while it says it.
///
/// @param agent the agent that speaks; empty for a model call that is a node of its own
/// @param model which model, as `provider://name`
/// @param call which of the model calls of its task it belongs to, from 1: the pieces of one task,
///   attempt and call make one message
/// @param text never empty
public record TextPiece(String agent, String model, int call, String text) {}
