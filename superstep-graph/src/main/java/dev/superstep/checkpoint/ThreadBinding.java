package dev.superstep.checkpoint;

import java.util.Optional;

/// The text that a store holds with a thread for a checkpointer around it. Immutable.
///
/// @param value the text of the last [CheckpointerCapability.BindingStorage#bind]
/// @param isBare whether nothing else of the thread is stored, except its lease
public record ThreadBinding(Optional<String> value, boolean isBare) {}
