package dev.superstep.board;

import static dev.superstep.board.TaskStatus.AWAITING_APPROVAL;
import static dev.superstep.board.TaskStatus.BLOCKED;
import static dev.superstep.board.TaskStatus.DONE;
import static dev.superstep.board.TaskStatus.IN_PROGRESS;
import static dev.superstep.board.TaskStatus.READY;
import static dev.superstep.board.TaskStatus.REJECTED;
import static dev.superstep.board.TaskStatus.TODO;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// By what a task goes from one status to another: the whole table of what is legal. What a task
/// becomes is not enough to tell: only [#APPROVE] makes a task ready that waits for approval.
public enum TaskMove {
  /// [Board#submit].
  SUBMIT(EnumSet.of(TODO), EnumSet.of(AWAITING_APPROVAL, READY)),
  /// [Board#approve].
  APPROVE(EnumSet.of(AWAITING_APPROVAL), EnumSet.of(READY)),
  /// [Board#claim].
  CLAIM(EnumSet.of(READY), EnumSet.of(IN_PROGRESS)),
  /// [Board#finish].
  FINISH(EnumSet.of(IN_PROGRESS), EnumSet.of(DONE)),
  /// [Board#release].
  RELEASE(EnumSet.of(IN_PROGRESS), EnumSet.of(READY)),
  /// [Board#reclaim].
  RECLAIM(EnumSet.of(IN_PROGRESS), EnumSet.of(READY, BLOCKED)),
  /// [Board#block].
  BLOCK(EnumSet.of(READY, IN_PROGRESS), EnumSet.of(BLOCKED)),
  /// [Board#unblock].
  UNBLOCK(EnumSet.of(BLOCKED), EnumSet.of(READY)),
  /// [Board#revise].
  REVISE(EnumSet.of(TODO, AWAITING_APPROVAL, READY, BLOCKED), EnumSet.of(TODO)),
  /// [Board#reject].
  REJECT(EnumSet.of(TODO, AWAITING_APPROVAL, READY, IN_PROGRESS, BLOCKED), EnumSet.of(REJECTED));

  private final Set<TaskStatus> from;
  private final Set<TaskStatus> to;

  TaskMove(Set<TaskStatus> from, Set<TaskStatus> to) {
    this.from = Collections.unmodifiableSet(from);
    this.to = Collections.unmodifiableSet(to);
  }

  /// The statuses in which it is legal.
  public Set<TaskStatus> from() {
    return from;
  }

  /// What a task becomes by it.
  public Set<TaskStatus> to() {
    return to;
  }
}
