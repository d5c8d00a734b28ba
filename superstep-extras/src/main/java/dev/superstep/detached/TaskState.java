package dev.superstep.detached;

/// The state of a detached task. Immutable.
public sealed interface TaskState<T> {
  /// Returns true if the task has ended, in whatever way.
  default boolean hasEnded() {
    return switch (this) {
      case Running<T> _ -> false;
      case Finished<T> _, Failed<T> _, Cancelled<T> _ -> true;
    };
  }

  /// It is at work.
  ///
  /// @param stopping how hard it was asked to stop
  record Running<T>(Stopping stopping) implements TaskState<T> {}

  /// The strongest request to stop that the work has had.
  enum Stopping {
    /// Not at all.
    NOT_ASKED,
    /// Its [Cancellation] says so.
    REQUESTED,
    /// Its thread was interrupted, too.
    INTERRUPTED
  }

  /// It gave a result, perhaps although it was asked to stop.
  record Finished<T>(T result) implements TaskState<T> {}

  /// It threw.
  record Failed<T>(Throwable error) implements TaskState<T> {}

  /// It threw after it was asked to stop.
  ///
  /// @param interrupted whether it ended only once its thread was interrupted
  record Cancelled<T>(boolean interrupted, Throwable error) implements TaskState<T> {}
}
