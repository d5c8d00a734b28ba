package dev.superstep.checkpoint;

import dev.superstep.checkpoint.CheckpointerCapability.BindingStorage;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.CheckpointerCapability.GraphShapes;
import dev.superstep.checkpoint.CheckpointerCapability.LeaseControl;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadListing;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadRemoval;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A checkpointer that hands every call to another one; a subclass changes some of them. It has the
/// capabilities of the other one, and calls of those go through the subclass as well.
///
/// [Combined calls][CombinedCalls] are made of the separate ones here, so that none passes a
/// subclass by; one that wants them in one transaction implements that interface and hands them on
/// itself, by [CombinedCalls#of]. As safe for many threads as the other one.
public class ForwardingCheckpointer
    implements Checkpointer,
        ThreadListing,
        ThreadForks,
        ThreadRemoval,
        EventJournal,
        LeaseControl,
        BindingStorage,
        GraphShapes {
  private final Checkpointer store;

  /// @param store what does the work
  protected ForwardingCheckpointer(Checkpointer store) {
    this.store = store;
  }

  /// The checkpointer that does the work.
  protected final Checkpointer store() {
    return store;
  }

  /// Returns this one if the other one has the capability and this class offers it.
  @Override
  public <C extends CheckpointerCapability> Optional<C> capability(Class<C> type) {
    return store.capability(type).filter(_ -> type.isInstance(this)).map(_ -> type.cast(this));
  }

  private <C extends CheckpointerCapability> C inner(Class<C> type) {
    return CheckpointerCapability.required(store, type, "This call");
  }

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    return store.acquire(thread, owner, time);
  }

  @Override
  public boolean renew(Lease lease, Duration time) {
    return store.renew(lease, time);
  }

  @Override
  public void release(Lease lease) {
    store.release(lease);
  }

  @Override
  public boolean requestCancel(String thread) {
    return inner(LeaseControl.class).requestCancel(thread);
  }

  @Override
  public boolean breakLease(String thread) {
    return inner(LeaseControl.class).breakLease(thread);
  }

  @Override
  public ThreadBinding binding(String thread) {
    return inner(BindingStorage.class).binding(thread);
  }

  @Override
  public void bind(Lease lease, String binding) {
    inner(BindingStorage.class).bind(lease, binding);
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return store.latest(lineage);
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return store.byId(lineage, id);
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return store.page(lineage, before, limit);
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return store.tasks(lineage, checkpoint);
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return store.steps(lineage, checkpoint);
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return store.answers(lineage, checkpoint);
  }

  @Override
  public Optional<String> described(String graph, String hash) {
    return inner(GraphShapes.class).described(graph, hash);
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return store.commit(lease, commit);
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return store.saveTask(lease, lineage, checkpoint, task, journal);
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return store.saveStep(lease, lineage, checkpoint, step);
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return store.answer(lease, lineage, checkpoint, answers, journal);
  }

  @Override
  public void append(Lease lease, List<Entry> entries) {
    inner(EventJournal.class).append(lease, entries);
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return inner(EventJournal.class).entries(thread, after, limit, filter);
  }

  @Override
  public long lastOffset(String thread) {
    return inner(EventJournal.class).lastOffset(thread);
  }

  @Override
  public List<ThreadSummary> threads(ThreadQuery query) {
    return inner(ThreadListing.class).threads(query);
  }

  @Override
  public Optional<ThreadSummary> find(String thread) {
    return inner(ThreadListing.class).find(thread);
  }

  @Override
  public boolean fork(Lease lease, Fork fork) {
    return inner(ThreadForks.class).fork(lease, fork);
  }

  @Override
  public boolean copy(Lease lease, String source) {
    return inner(ThreadForks.class).copy(lease, source);
  }

  @Override
  public void delete(Lease lease) {
    inner(ThreadRemoval.class).delete(lease);
  }

  @Override
  public int deleteRun(Lease lease, String run, Set<Memory> needed) {
    return inner(ThreadRemoval.class).deleteRun(lease, run, needed);
  }

  @Override
  public int prune(Lease lease, Prune prune) {
    return inner(ThreadRemoval.class).prune(lease, prune);
  }

  @Override
  public int trimJournal(Lease lease, long through) {
    return inner(EventJournal.class).trimJournal(lease, through);
  }

  @Override
  public void compact() {
    inner(ThreadRemoval.class).compact();
  }

  @Override
  public void close() {
    store.close();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + store + "]";
  }
}
