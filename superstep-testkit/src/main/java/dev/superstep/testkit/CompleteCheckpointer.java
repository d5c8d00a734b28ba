package dev.superstep.testkit;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Capability.CombinedCalls;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A checkpointer with the calls of all capabilities in one type. A call of a capability that it
/// lacks is a [dev.superstep.checkpoint.MissingCapability].
final class CompleteCheckpointer extends ForwardingCheckpointer implements CombinedCalls {
  private CompleteCheckpointer(Checkpointer store) {
    super(store);
  }

  static CompleteCheckpointer of(Checkpointer store) {
    return new CompleteCheckpointer(store);
  }

  private CombinedCalls combined() {
    return CombinedCalls.of(store());
  }

  @Override
  public AcquiredThread take(String thread, String owner, Duration time) {
    return combined().take(thread, owner, time);
  }

  @Override
  public Optional<ThreadRecord> standing(Lineage lineage) {
    return combined().standing(lineage);
  }

  @Override
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return combined().changes(lineage, id);
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return combined().commitLast(lease, commit);
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return combined().saveTaskLast(lease, lineage, checkpoint, task, journal);
  }
}
