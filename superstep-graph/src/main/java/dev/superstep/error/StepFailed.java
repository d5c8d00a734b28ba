package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.FailurePoint;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A superstep could not be run or folded, or could not follow. Tells where the run stood.
public abstract sealed class StepFailed extends SuperstepException
    permits ConcurrentWrites,
        Deadlock,
        NodeFailed,
        ReducerFailed,
        RouterFailed,
        StepLimitReached,
        TokenUnread,
        UnknownTarget {
  private static final long serialVersionUID = 1L;
  private transient @Nullable FailurePoint frontier;

  StepFailed(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /// The nodes that were under way or due; empty if it failed before any were, as with input that
  /// cannot be folded.
  public Optional<FailurePoint> frontier() {
    return Optional.ofNullable(frontier);
  }

  /// An error that says where the run stood, if it can.
  public static <E extends RuntimeException> E at(FailurePoint frontier, E error) {
    if (error instanceof StepFailed failed && failed.frontier == null) failed.frontier = frontier;
    return error;
  }
}
