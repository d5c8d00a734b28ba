package dev.superstep.board;

/// That a worker has a task, until the task leaves it. Each claim of a task has a number of its
/// own, so a worker that was thought lost cannot touch what another has claimed since. Immutable.
///
/// @param task as it was when it was claimed
public record Claim(BoardTask task) {
  /// The id of the task.
  public String id() {
    return task.id();
  }

  /// Who has it.
  public String worker() {
    return task.worker().orElseThrow();
  }

  /// Which claim of the task it is, from 1.
  public long number() {
    return task.claims();
  }

  /// Returns whether the worker still holds the task, as it is now, by this claim.
  boolean holds(BoardTask now) {
    return now.status() == TaskStatus.IN_PROGRESS && now.claims() == number();
  }
}
