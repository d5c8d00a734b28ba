package dev.superstep.node;

import dev.superstep.checkpoint.Signal;

/// A node's result with a word on how good it is. The writes are always folded and the edges
/// followed, as with an [Update]; the signal is for a [dev.superstep.run.MatrixHook], if the run
/// has one. Immutable.
///
/// @param update what it writes
public record Converge(Update update, Signal signal) implements NodeResult {}
