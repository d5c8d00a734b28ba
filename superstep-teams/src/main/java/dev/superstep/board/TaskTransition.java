package dev.superstep.board;

import static dev.superstep.board.TaskStatus.AWAITING_APPROVAL;
import static dev.superstep.board.TaskStatus.BLOCKED;
import static dev.superstep.board.TaskStatus.DONE;
import static dev.superstep.board.TaskStatus.IN_PROGRESS;
import static dev.superstep.board.TaskStatus.READY;
import static dev.superstep.board.TaskStatus.REJECTED;
import static dev.superstep.board.TaskStatus.TODO;

import java.util.EnumSet;
import java.util.Set;

/// The transitions between statuses; no others are allowed. The new status alone does not identify
/// one: only [#APPROVE] makes a task ready that waits for approval.
public enum TaskTransition {
  /// [Board#submit].
  SUBMIT,
  /// [Board#approve].
  APPROVE,
  /// [Board#claim].
  CLAIM,
  /// [Board#finish].
  FINISH,
  /// [Board#release].
  RELEASE,
  /// [Board#reclaim].
  RECLAIM,
  /// [Board#block].
  BLOCK,
  /// [Board#unblock].
  UNBLOCK,
  /// [Board#revise].
  REVISE,
  /// [Board#reject].
  REJECT;

  /// The statuses in which it is legal.
  public Set<TaskStatus> from() {
    return switch (this) {
      case SUBMIT -> EnumSet.of(TODO);
      case APPROVE -> EnumSet.of(AWAITING_APPROVAL);
      case CLAIM -> EnumSet.of(READY);
      case FINISH, RELEASE, RECLAIM -> EnumSet.of(IN_PROGRESS);
      case BLOCK -> EnumSet.of(READY, IN_PROGRESS);
      case UNBLOCK -> EnumSet.of(BLOCKED);
      case REVISE -> EnumSet.of(TODO, AWAITING_APPROVAL, READY, BLOCKED);
      case REJECT -> EnumSet.of(TODO, AWAITING_APPROVAL, READY, IN_PROGRESS, BLOCKED);
    };
  }

  /// Returns the statuses that this transition can lead to.
  public Set<TaskStatus> to() {
    return switch (this) {
      case SUBMIT -> EnumSet.of(AWAITING_APPROVAL, READY);
      case APPROVE, RELEASE, UNBLOCK -> EnumSet.of(READY);
      case CLAIM -> EnumSet.of(IN_PROGRESS);
      case FINISH -> EnumSet.of(DONE);
      case RECLAIM -> EnumSet.of(READY, BLOCKED);
      case BLOCK -> EnumSet.of(BLOCKED);
      case REVISE -> EnumSet.of(TODO);
      case REJECT -> EnumSet.of(REJECTED);
    };
  }
}
