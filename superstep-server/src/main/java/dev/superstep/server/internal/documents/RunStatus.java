package dev.superstep.server.internal.documents;

/// The statuses of runs and threads, as they are stored and as clients see them.
public final class RunStatus {
  /// A run waits for its turn.
  public static final String PENDING = "pending";

  /// A run is at work.
  public static final String RUNNING = "running";

  /// A run ended; its thread may wait for an answer.
  public static final String SUCCESS = "success";

  /// A run failed, or a thread's last run did.
  public static final String ERROR = "error";

  /// A run took too long.
  public static final String TIMEOUT = "timeout";

  /// A run was cancelled, or a thread waits for an answer or to be resumed.
  public static final String INTERRUPTED = "interrupted";

  /// A thread has nothing to do.
  public static final String IDLE = "idle";

  /// A thread has a run that waits or is at work.
  public static final String BUSY = "busy";

  private RunStatus() {}

  /// Returns whether a run in this status is still to end.
  public static boolean isActive(String status) {
    return status.equals(PENDING) || status.equals(RUNNING);
  }
}
