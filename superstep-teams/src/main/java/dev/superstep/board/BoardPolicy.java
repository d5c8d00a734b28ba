package dev.superstep.board;

import java.time.Duration;
import java.util.function.Predicate;

/// Rules of a board. All users of a board should use the same policy, because it is not stored with
/// the board. Immutable; each method returns a changed copy.
///
/// @param approval which tasks a person must approve before anybody may claim them; evaluated when
///   a task is submitted
/// @param oneInAll whether only one task of the board, and not one per worker, may be in progress
/// @param heartbeatLimit the longest time without a heartbeat before a worker loses its task
/// @param lostMax the number of lost workers after which a task is blocked instead of made ready
public record BoardPolicy(
    Predicate<BoardTask> approval, boolean oneInAll, Duration heartbeatLimit, int lostMax) {
  private static final BoardPolicy STANDARD =
      new BoardPolicy(_ -> false, false, Duration.ofMinutes(5), 3);

  public BoardPolicy {
    if (!heartbeatLimit.isPositive()) {
      throw new IllegalArgumentException("heartbeatLimit must be positive, was " + heartbeatLimit);
    }
    if (lostMax < 1) {
      throw new IllegalArgumentException("lostMax must be at least 1, was " + lostMax);
    }
  }

  /// Nothing needs approval; each worker has one task in progress at most; a worker is lost after
  /// five minutes; a task that has lost three is blocked.
  public static BoardPolicy standard() {
    return STANDARD;
  }

  /// A person must approve these.
  public BoardPolicy approving(Predicate<BoardTask> which) {
    return new BoardPolicy(which, oneInAll, heartbeatLimit, lostMax);
  }

  /// A person must approve every task.
  public BoardPolicy approvingAll() {
    return approving(_ -> true);
  }

  /// Only one task of the whole board may be in progress.
  public BoardPolicy oneAtATime() {
    return new BoardPolicy(approval, true, heartbeatLimit, lostMax);
  }

  /// Sets the longest time without a heartbeat before a worker loses its task.
  public BoardPolicy heartbeatLimit(Duration most) {
    return new BoardPolicy(approval, oneInAll, most, lostMax);
  }

  /// Sets the number of lost workers after which a task is blocked.
  public BoardPolicy lostMax(int workers) {
    return new BoardPolicy(approval, oneInAll, heartbeatLimit, workers);
  }
}
