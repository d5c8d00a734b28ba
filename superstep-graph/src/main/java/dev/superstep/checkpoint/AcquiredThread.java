package dev.superstep.checkpoint;

import java.util.Optional;

/// A thread whose lease was just acquired, with its state. Immutable.
///
/// @param threadRecord the state of the thread's own graph, if it has a checkpoint
public record AcquiredThread(Lease lease, Optional<ThreadRecord> threadRecord) {}
