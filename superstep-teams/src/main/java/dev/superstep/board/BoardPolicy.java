package dev.superstep.board;

import java.time.Duration;
import java.util.function.Predicate;

/// What a board asks for. All who use a board should give it the same policy; it is not kept with
/// it. Immutable; each method returns a changed copy.
///
/// @param approval which tasks a person must approve before anybody may claim them; asked when a
///   task is submitted
/// @param oneInAll whether only one task of the board may be in progress, and not one per worker
/// @param heartbeatLimit how long a worker may not be heard of before its task is taken from it
/// @param lostMax after how many lost workers a task is blocked instead of made ready
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

  /// How long a worker may not be heard of.
  public BoardPolicy heartbeatLimit(Duration most) {
    return new BoardPolicy(approval, oneInAll, most, lostMax);
  }

  /// How many workers a task may lose.
  public BoardPolicy lostMax(int workers) {
    return new BoardPolicy(approval, oneInAll, heartbeatLimit, workers);
  }
}
