package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes commits and task records for tests of one thread.
final class Commits {
  static final Lineage LINEAGE = Lineage.of("thread");

  private Commits() {}

  static Commit on(Optional<String> parent, String id, int step, ChannelChange... changes) {
    var checkpoint =
        new Checkpoint(
            Checkpoint.FORMAT,
            id,
            parent,
            "run-0190a5c0-7b1e-7cc3-98c4-dc0c0c07398f",
            step,
            Checkpoint.Source.LOOP,
            Instant.EPOCH,
            "run-0190a5c0-7b1e-7cc3-98c4-dc0c0c07398f",
            "graph",
            "hash",
            Progress.of(List.of()),
            Map.of());
    return new Commit(LINEAGE, checkpoint, List.of(changes));
  }

  /// The n-th of a line of checkpoints with ids as long as real ones.
  static Commit nth(int n, ChannelChange... changes) {
    return on(n == 0 ? Optional.empty() : Optional.of(id(n - 1)), id(n), n, changes);
  }

  static String id(int n) {
    return "0190a5c0-7b1e-7cc3-98c4-%012d".formatted(n);
  }

  static ChannelChange whole(String channel, long version, Json value) {
    return new ChannelChange(channel, version, new Change.Whole(value));
  }

  static ChannelChange appended(String channel, int kept, Json item) {
    return new ChannelChange(channel, kept + 1, new Change.Items(kept, List.of(item)));
  }

  static TaskRecord finished(String task) {
    return finished(task, 0);
  }

  /// @param more how many characters its value has beyond a few
  static TaskRecord finished(String task, int more) {
    var value = Json.string("value of " + task + "x".repeat(more));
    var writes = List.<SavedWrite>of(new SavedWrite.Put("a", value));
    return new TaskRecord(task, "n", new End.Finished(writes, Optional.empty(), List.of()));
  }

  static Entry entry(Json event) {
    return new Entry(0, Instant.EPOCH, "run", "graph", List.of(), "node", "kind", event);
  }

  /// A lease for all who work on the thread together.
  static Lease hold(Checkpointer store) {
    return store.acquire(LINEAGE.thread(), "the test", Duration.ofHours(1));
  }

  /// Commits on top of whatever is newest until `wins` of them succeeded.
  static void race(Checkpointer store, Lease lease, String name, int wins) {
    for (int won = 0, tried = 0; won < wins; tried++) {
      var head = store.latest(LINEAGE);
      var parent = head.map(saved -> saved.checkpoint().id());
      int step = head.map(saved -> saved.checkpoint().step() + 1).orElse(0);
      if (store.commit(lease, on(parent, name + "-" + tried, step))) won++;
    }
  }
}
