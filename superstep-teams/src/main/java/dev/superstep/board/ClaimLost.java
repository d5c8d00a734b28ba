package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// The worker does not hold the task any more: it sent no heartbeat for too long, or somebody took
/// the task from it. Its write was discarded.
public final class ClaimLost extends SuperstepException {
  ClaimLost(String board, Claim claim, BoardTask now) {
    super(
        "board.claim-lost",
        "`%s` has lost task `%s` of board `%s`, which is %s now. Stop working on it and claim another."
            .formatted(claim.worker(), claim.id(), board, state(now)));
  }

  private static String state(BoardTask now) {
    boolean isTaken = now.status() == TaskStatus.IN_PROGRESS;
    return isTaken ? "claimed by `" + now.worker().orElseThrow() + "`" : now.status().toString();
  }
}
