package dev.superstep.checkpoint;

import java.util.Optional;

/// A thread whose lease was just acquired, with its state. Immutable.
///
<<<<<<< HEAD
/// @param threadRecord how the thread's own graph stood then, if it has a checkpoint
=======
/// @param threadRecord the state of the thread's own graph, if it has a checkpoint
>>>>>>> house
public record AcquiredThread(Lease lease, Optional<ThreadRecord> threadRecord) {}
