package dev.superstep.checkpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A checkpointer that hands every call to another one; a subclass changes some of them. Calls that
/// stand for several, as [#standing], [#take], [#commitLast] and [#saveTaskLast], are made of those
/// here, so that none passes a subclass by; one that wants them in one transaction hands them on
/// itself. As safe for many threads as the other one.
public class ForwardingCheckpointer implements Checkpointer {
  private final Checkpointer store;

  /// @param store what does the work
  protected ForwardingCheckpointer(Checkpointer store) {
    this.store = store;
  }

  /// What does the work.
  protected final Checkpointer store() {
    return store;
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
    return store.requestCancel(thread);
  }

  @Override
  public boolean breakLease(String thread) {
    return store.breakLease(thread);
  }

  @Override
  public ThreadBinding binding(String thread) {
    return store.binding(thread);
  }

  @Override
  public void bind(Lease lease, String binding) {
    store.bind(lease, binding);
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
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return store.changes(lineage, id);
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
    return store.described(graph, hash);
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
    store.append(lease, entries);
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return store.entries(thread, after, limit, filter);
  }

  @Override
  public long lastOffset(String thread) {
    return store.lastOffset(thread);
  }

  @Override
  public List<ThreadSummary> threads(ThreadQuery query) {
    return store.threads(query);
  }

  @Override
  public Optional<ThreadSummary> find(String thread) {
    return store.find(thread);
  }

  @Override
  public boolean fork(Lease lease, Fork fork) {
    return store.fork(lease, fork);
  }

  @Override
  public boolean copy(Lease lease, String source) {
    return store.copy(lease, source);
  }

  @Override
  public void delete(Lease lease) {
    store.delete(lease);
  }

  @Override
  public int deleteRun(Lease lease, String run, Set<Memory> needed) {
    return store.deleteRun(lease, run, needed);
  }

  @Override
  public int prune(Lease lease, Prune prune) {
    return store.prune(lease, prune);
  }

  @Override
  public int trimJournal(Lease lease, long through) {
    return store.trimJournal(lease, through);
  }

  @Override
  public void compact() {
    store.compact();
  }

  @Override
  public void close() {
    store.close();
  }
}
