package dev.superstep.board;

import java.util.EnumSet;
import java.util.Set;

/// The status of a task on a board. [TaskTransition] lists the changes that are allowed.
public enum TaskStatus {
  /// It was written down.
  TODO,
  /// A person must approve it first.
  AWAITING_APPROVAL,
  /// Whoever comes first may claim it.
  READY,
  /// A worker has claimed it.
  IN_PROGRESS,
  /// It cannot continue, for the given reason.
  BLOCKED,
  /// It is done. Final.
  DONE,
  /// It will not be done, for the reason that it has. Final.
  REJECTED;

  /// Returns the transitions that are allowed from this status.
  public Set<TaskTransition> moves() {
    var legal = EnumSet.noneOf(TaskTransition.class);
    for (var move : TaskTransition.values()) if (move.from().contains(this)) legal.add(move);
    return legal;
  }

  /// Returns the statuses that can follow this one.
  public Set<TaskStatus> next() {
    var next = EnumSet.noneOf(TaskStatus.class);
    for (var move : moves()) next.addAll(move.to());
    next.remove(this);
    return next;
  }

  /// Returns whether no transition leads out of this status.
  public boolean isFinal() {
    return moves().isEmpty();
  }
}
