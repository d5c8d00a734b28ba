package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// The worker does not hold the task any more: it sent no heartbeat for too long, or somebody took
/// the task from it. Its write was discarded.
public final class ClaimLost extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String task;
  private final String worker;

  ClaimLost(String board, Claim claim, BoardTask now) {
    super(
        "board.claim-lost",
        "`%s` has lost task `%s` of board `%s`, which is %s now. Stop working on it and claim another."
            .formatted(claim.worker(), claim.id(), board, state(now)),
        null);
    this.task = claim.id();
    this.worker = claim.worker();
  }

  private static String state(BoardTask now) {
    boolean isTaken = now.status() == TaskStatus.IN_PROGRESS;
    return isTaken ? "claimed by `" + now.worker().orElseThrow() + "`" : now.status().toString();
  }

  /// The id of the task.
  public String task() {
    return task;
  }

  /// Who has lost it.
  public String worker() {
    return worker;
  }
}
