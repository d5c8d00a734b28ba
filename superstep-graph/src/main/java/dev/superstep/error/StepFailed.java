package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.FailurePoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A superstep could not be run or folded, or nothing could follow it. Has the point at which the
/// run failed.
public abstract sealed class StepFailed extends SuperstepException
    permits ConcurrentWrites,
        Deadlock,
        NodeFailed,
        ReducerFailed,
        RouterFailed,
        StepLimitReached,
        TokenUnread,
        UnknownTarget {
  private transient @Nullable FailurePoint frontier;

  StepFailed(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /// The point at which the run failed; empty if it failed before any node was due, as with input
  /// that cannot be folded.
  public Optional<FailurePoint> frontier() {
    return Optional.ofNullable(frontier);
  }

  /// Adds the point of failure to an error that can have one.
  public static <E extends RuntimeException> E at(FailurePoint frontier, E error) {
    if (error instanceof StepFailed failed && failed.frontier == null) failed.frontier = frontier;
    return error;
  }
}
