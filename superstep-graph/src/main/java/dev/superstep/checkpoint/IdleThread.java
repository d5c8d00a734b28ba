package dev.superstep.checkpoint;

import java.util.Optional;

/// A thread that nobody held when it was read. Immutable.
///
/// @param token that of the newest lease that the thread had; 0 if the store does not know the
///   thread
/// @param threadRecord the state of the thread's own graph, if it has a checkpoint
public record IdleThread(String thread, long token, Optional<ThreadRecord> threadRecord) {}
