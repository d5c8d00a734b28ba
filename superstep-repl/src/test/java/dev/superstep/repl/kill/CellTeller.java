package dev.superstep.repl.kill;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Durability;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A process that tells a [CellStory] as far as it goes. Its arguments: the database, the file of
/// notes, the thread, the question to approve or `-`, at which write it is killed, and where around
/// it.
final class CellTeller {
  private static final Duration LEASE = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private CellTeller() {}

  public static void main(String[] arguments) throws Exception {
    System.out.println(tell(arguments));
    System.out.flush();
  }

  static String tell(String[] arguments) throws InterruptedException {
    var notes = new Notes(Path.of(arguments[1]));
    int point = Integer.parseInt(arguments[4]);
    var when = PointedCheckpointer.When.valueOf(arguments[5]);
    try (var store = SqliteCheckpointer.open(Path.of(arguments[0]))) {
      var options =
          RunOptions.thread(arguments[2])
              .checkpoints(new PointedCheckpointer(store, point, when, notes))
              .durability(Durability.SYNC)
              .lease(LEASE);
      while (true) {
        try {
          var story = new CellStory(notes);
          return arguments[3].equals("-")
              ? story.tell(options)
              : story.approve(arguments[3], options);
        } catch (ThreadBusy _) {
          // The lease of the process that was killed runs out.
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }
}
