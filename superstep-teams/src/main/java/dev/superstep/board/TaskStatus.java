package dev.superstep.board;

import java.util.EnumSet;
import java.util.Set;

/// How a task on a board stands. What it may become is told by [TaskTransition].
public enum TaskStatus {
  /// It was written down.
  TODO,
  /// A person must approve it first.
  AWAITING_APPROVAL,
  /// Whoever comes first may claim it.
  READY,
  /// A worker has claimed it.
  IN_PROGRESS,
  /// It cannot go on, for the reason that it has.
  BLOCKED,
  /// It is done. Final.
  DONE,
  /// It will not be done, for the reason that it has. Final.
  REJECTED;

  /// What may be done with it.
  public Set<TaskTransition> moves() {
    var legal = EnumSet.noneOf(TaskTransition.class);
    for (var move : TaskTransition.values()) if (move.from().contains(this)) legal.add(move);
    return legal;
  }

  /// What it may become.
  public Set<TaskStatus> next() {
    var next = EnumSet.noneOf(TaskStatus.class);
    for (var move : moves()) next.addAll(move.to());
    next.remove(this);
    return next;
  }

  /// Whether it stays so for ever.
  public boolean isFinal() {
    return moves().isEmpty();
  }
}
