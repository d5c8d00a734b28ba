package dev.superstep.testkit;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/// A checkpointer with the calls of all capabilities in one type. A call of a capability that it
/// lacks is a [dev.superstep.checkpoint.MissingCapability]. The suites of checkpointers test it.
public final class CompleteCheckpointer extends ForwardingCheckpointer implements CombinedCalls {
  private CompleteCheckpointer(Checkpointer store) {
    super(store);
  }

  /// Returns a store with the calls of all capabilities.
  public static CompleteCheckpointer of(Checkpointer store) {
    return new CompleteCheckpointer(store);
  }

  /// Skips the calling test, which combines several capabilities, if the store lacks one of them.
  @SafeVarargs
  final void needs(Class<? extends CheckpointerCapability>... all) {
    for (var type : all) Assumptions.assumeTrue(can(type), "needs " + type.getSimpleName());
  }

  boolean can(Class<? extends CheckpointerCapability> type) {
    return store().capability(type).isPresent();
  }

  /// Returns the journal entries to write with something; none if the store has no journal.
  List<Entry> entries(Entry... entries) {
    return can(EventJournal.class) ? List.of(entries) : List.of();
  }

  /// The number of journal entries so far; 0 if the store has no journal.
  long entryCount(String thread) {
    return can(EventJournal.class) ? lastOffset(thread) : 0;
  }

  private CombinedCalls combined() {
    return CombinedCalls.of(store());
  }

  @Override
  public AcquiredThread acquireThread(String thread, String owner, Duration time) {
    return combined().acquireThread(thread, owner, time);
  }

  @Override
  public Optional<IdleThread> idleThread(String thread) {
    return combined().idleThread(thread);
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    return combined().acquireWith(idle, owner, time, write);
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    return combined().threadRecord(lineage);
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
