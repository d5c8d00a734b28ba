package dev.superstep.store.board;

import dev.superstep.board.Board;
import dev.superstep.board.Claim;
import dev.superstep.store.jdbc.SqliteStore;
import java.nio.file.Path;

/// A process that works on a board in a file: `work FILE WORKER` claims and finishes until nothing
/// is left, and prints each task that it has done; `hang FILE WORKER` claims one, prints it, and
/// does nothing more until it is killed.
final class BoardRacer {
  static final String BOARD = "races";

  private BoardRacer() {}

  public static void main(String[] arguments) throws InterruptedException {
    var file = Path.of(arguments[1]);
    try (var store = SqliteStore.open(file)) {
      var board = Board.named(BOARD, store);
      switch (arguments[0]) {
        case "work" -> work(board, arguments[2]);
        case "hang" -> {
          System.out.println(board.claim(arguments[2]).orElseThrow().id());
          Thread.currentThread().join();
        }
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  static int work(Board board, String worker) {
    int done = 0;
    for (var claim = board.claim(worker); claim.isPresent(); claim = board.claim(worker)) {
      finish(board, claim.get());
      done++;
    }
    return done;
  }

  private static void finish(Board board, Claim claim) {
    board.note(claim, "nearly");
    board.finish(claim, "by " + claim.worker());
    System.out.println(claim.id() + " " + claim.number());
  }
}
