package dev.superstep.repl.record;

import dev.superstep.model.Usage;

/// What a call of a cell took. Immutable.
///
/// @param usage of the models that it asked
/// @param millis from its begin to its end
public record CallCost(Usage usage, long millis) {}
