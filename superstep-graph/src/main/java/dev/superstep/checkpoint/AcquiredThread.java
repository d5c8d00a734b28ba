package dev.superstep.checkpoint;

import java.util.Optional;

/// A thread that was just taken. Immutable.
///
/// @param threadRecord how the thread's own graph stood then, if it has a checkpoint
public record AcquiredThread(Lease lease, Optional<ThreadRecord> threadRecord) {}
