package dev.superstep.checkpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Keeps threads in another store, encrypted: everything that a program, a model or a person said
/// reaches that store sealed by a key which it does not have. What it has to go by stays plain:
/// ids, names of threads, graphs, nodes, channels, steps and metadata, kinds, versions, times, and
/// the shape of the graph.
///
/// ```java
/// var store = EncryptedCheckpointer.over(inner, KeyRing.of("2026", key));
/// ```
///
/// Each value is bound to where it belongs, so one that was moved to another channel or task is
/// refused as one that was changed. Whatever cannot be read is a [CannotDecrypt].
///
/// To change the key, open the store with [KeyRing#rotated]: what is written from then on has the
/// new key. What was written before keeps the old one, which stays in the ring for as long as
/// threads last that have used it. As safe for many threads as the other store.
public final class EncryptedCheckpointer extends ForwardingCheckpointer {
  private final Sealing in;
  private final Sealing out;

  private EncryptedCheckpointer(Checkpointer store, KeyRing ring) {
    super(store);
    var seals = new Seals(ring);
    this.in = Sealing.in(seals);
    this.out = Sealing.out(seals);
  }

  /// Encrypts what goes to a store, and decrypts what comes from it.
  ///
  /// @param store holds nothing yet, or only what was encrypted in this way; closed with this
  public static EncryptedCheckpointer over(Checkpointer store, KeyRing ring) {
    return new EncryptedCheckpointer(store, ring);
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return super.latest(lineage).map(out::saved);
  }

  @Override
  public Optional<Standing> standing(Lineage lineage) {
    return store().standing(lineage).map(this::opened);
  }

  @Override
  public Taken take(String thread, String owner, Duration time) {
    var taken = store().take(thread, owner, time);
    try {
      return new Taken(taken.lease(), taken.standing().map(this::opened));
    } catch (RuntimeException e) {
      try {
        store().release(taken.lease());
      } catch (StoreFailed unreachable) {
        e.addSuppressed(unreachable);
      }
      throw e;
    }
  }

  private Standing opened(Standing sealed) {
    return new Standing(
        out.saved(sealed.latest()),
        sealed.tasks().stream().map(out::task).toList(),
        sealed.steps().stream().map(out::step).toList(),
        sealed.answers().stream().map(out::answer).toList());
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return super.byId(lineage, id).map(out::saved);
  }

  @Override
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return super.changes(lineage, id).map(all -> all.stream().map(out::change).toList());
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return super.page(lineage, before, limit).stream().map(out::checkpoint).toList();
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return super.tasks(lineage, checkpoint).stream().map(out::task).toList();
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return super.steps(lineage, checkpoint).stream().map(out::step).toList();
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return super.answers(lineage, checkpoint).stream().map(out::answer).toList();
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return super.commit(lease, in.commit(commit));
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return store().commitLast(lease, in.commit(commit));
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    var sealed = in.task(task);
    var told = in.entries(journal);
    return out.task(store().saveTaskLast(lease, lineage, checkpoint, sealed, told));
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    var sealed = in.task(task);
    return out.task(super.saveTask(lease, lineage, checkpoint, sealed, in.entries(journal)));
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return out.step(super.saveStep(lease, lineage, checkpoint, in.step(step)));
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    var sealed = answers.stream().map(in::answer).toList();
    return super.answer(lease, lineage, checkpoint, sealed, in.entries(journal));
  }

  @Override
  public void append(Lease lease, List<Entry> entries) {
    super.append(lease, in.entries(entries));
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return out.entries(super.entries(thread, after, limit, filter));
  }

  @Override
  public List<Head> threads(ThreadQuery query) {
    return super.threads(query).stream().map(out::head).toList();
  }

  @Override
  public Optional<Head> find(String thread) {
    return super.find(thread).map(out::head);
  }

  @Override
  public boolean fork(Lease lease, Fork fork) {
    return super.fork(lease, in.fork(fork));
  }
}
