package dev.superstep.store.crash;

import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Durability;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer;
import java.nio.file.Path;
import java.time.Duration;

/// A process that tells an [AgentStory] to its end. Its arguments: the store's address, the file of
/// notes, the thread, the file of bookings, at which write it is killed, and where around it.
final class AgentTeller {
  private static final Duration LEASE = Duration.ofMillis(100);

  private AgentTeller() {}

  public static void main(String[] arguments) {
    System.out.println(Teller.told(() -> tell(arguments)));
    System.out.flush();
  }

  static String tell(String[] arguments) throws Exception {
    var notes = new Notes(Path.of(arguments[1]));
    var booked = new Notes(Path.of(arguments[3]));
    int point = Integer.parseInt(arguments[4]);
    var when = PointedCheckpointer.When.valueOf(arguments[5]);
    try (var store = Teller.open(arguments[0])) {
      var options =
          RunOptions.thread(arguments[2])
              .checkpoints(new PointedCheckpointer(store, point, when, notes))
              .durability(Durability.SYNC)
              .lease(LEASE)
              .journal(Redaction.none());
      return new AgentStory(notes, booked).tell(options);
    }
  }
}
