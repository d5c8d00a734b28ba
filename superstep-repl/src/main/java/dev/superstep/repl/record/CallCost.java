package dev.superstep.repl.record;

import dev.superstep.model.Usage;

/// The cost of a call of a cell. Immutable.
///
/// @param usage of the models that it asked
/// @param millis from its start to its end
public record CallCost(Usage usage, long millis) {}
