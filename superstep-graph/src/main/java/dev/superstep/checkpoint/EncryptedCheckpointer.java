package dev.superstep.checkpoint;

import dev.superstep.checkpoint.ThreadBindings.Family;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/// Saves threads in another store, encrypted: everything that a program, a model or a person said
/// reaches that store sealed by a key which it does not have. The data by which it finds things
/// stays plain: ids, names of threads, graphs, nodes, channels, steps and metadata, kinds,
/// versions, times, and the shape of the graph.
///
/// ```java
/// var store = EncryptedCheckpointer.over(inner, KeyRing.of("2026", key));
/// ```
///
/// Each value is bound to its place: to the family of its thread, whose members were forked or
/// copied from one another, and in it to its channel or task. A value that was moved is refused
/// like one that was changed. A value that cannot be read is a [CannotDecrypt].
///
/// To change the key, open the store with [KeyRing#rotated]: later writes use the new key. Earlier
/// ones keep the old key, which must stay in the ring as long as threads exist that have used it.
/// As safe for many threads as the other store.
public final class EncryptedCheckpointer extends ForwardingCheckpointer
    implements CheckpointerCapability.CombinedCalls {
  private final Seals seals;
  private final ThreadBindings bindings;
  private final CombinedCalls combined;
  private final boolean boundOnly;

  private EncryptedCheckpointer(Checkpointer store, Seals seals, boolean boundOnly) {
    super(store);
    this.seals = seals;
    var storage = CheckpointerCapability.required(store, BindingStorage.class, "Encryption");
    this.bindings = new ThreadBindings(storage, seals);
    this.combined = CombinedCalls.of(store);
    this.boundOnly = boundOnly;
  }

  /// Encrypts what goes to a store, and decrypts what comes from it.
  ///
  /// @param store holds nothing yet, or only what was encrypted in this way; closed with this
  /// @throws MissingCapability if the store has no [CheckpointerCapability.BindingStorage]
  public static EncryptedCheckpointer over(Checkpointer store, KeyRing ring) {
    return new EncryptedCheckpointer(store, new Seals(ring), false);
  }

  /// Returns a copy that refuses values written before they were bound to the family of their
  /// thread in every thread, not only in threads that began since.
  public EncryptedCheckpointer boundOnly() {
    return new EncryptedCheckpointer(store(), seals, true);
  }

  // --- Who may write ---

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    var lease = super.acquire(thread, owner, time);
    return releasedUnless(
        lease,
        () -> {
          // Another process may have begun the thread anew since it was known here.
          bindings.read(thread);
          return lease;
        });
  }

  @Override
  public AcquiredThread acquireThread(String thread, String owner, Duration time) {
    var acquired = combined.acquireThread(thread, owner, time);
    return releasedUnless(
        acquired.lease(),
        () -> {
          var out = out(bindings.read(thread));
          return new AcquiredThread(
              acquired.lease(), acquired.threadRecord().map(sealed -> opened(out, sealed)));
        });
  }

  /// A thread without a checkpoint may have no family yet. That begins with a lease, so the thread
  /// is acquired before it is read.
  @Override
  public Optional<IdleThread> idleThread(String thread) {
    var sealed = combined.idleThread(thread).filter(idle -> idle.threadRecord().isPresent());
    if (sealed.isEmpty()) return Optional.empty();
    // After the thread: if somebody has begun it anew since, the token is not the newest any more.
    var family = bindings.read(thread);
    if (family.isEmpty()) return Optional.empty();
    try {
      var out = out(family);
      var opened = sealed.get().threadRecord().map(threadRecord -> opened(out, threadRecord));
      return Optional.of(new IdleThread(thread, sealed.get().token(), opened));
    } catch (CannotDecrypt _) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    var family = bindings.find(idle.thread());
    if (family.isEmpty()) return Optional.empty();
    var in = Sealing.in(seals, family.get().id());
    // Without what was opened of it.
    var sealed = new IdleThread(idle.thread(), idle.token(), Optional.empty());
    return combined.acquireWith(sealed, owner, time, in.firstWrite(write));
  }

  private <T> T releasedUnless(Lease lease, Supplier<T> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      try {
        store().release(lease);
      } catch (StoreFailed unreachable) {
        e.addSuppressed(unreachable);
      }
      throw e;
    }
  }

  @Override
  public ThreadBinding binding(String thread) {
    return bindings.outer(thread);
  }

  @Override
  public void bind(Lease lease, String binding) {
    bindings.bindOuter(lease, binding);
  }

  /// Returns the seal for the family of a thread; the family begins with the thread's first value.
  private Sealing in(Lease lease) {
    var family = bindings.find(lease.thread()).orElseGet(() -> bindings.begin(lease));
    return Sealing.in(seals, family.id());
  }

  private Sealing out(Optional<Family> family) {
    boolean isOldRead = !boundOnly && family.map(known -> !known.isWhole()).orElse(true);
    return Sealing.out(seals, family.map(Family::id).orElse(""), isOldRead);
  }

  private <S, T> T open(String thread, S sealed, BiFunction<Sealing, S, T> how) {
    var known = bindings.find(thread);
    try {
      return how.apply(out(known), sealed);
    } catch (CannotDecrypt e) {
      // Another process may have begun the thread anew since it was known here.
      var now = bindings.read(thread);
      if (now.equals(known)) throw e;
      return how.apply(out(now), sealed);
    }
  }

  private <S, T> List<T> openAll(String thread, List<S> sealed, BiFunction<Sealing, S, T> how) {
    if (sealed.isEmpty()) return List.of();
    Function<Sealing, List<T>> all =
        out -> sealed.stream().map(one -> how.apply(out, one)).toList();
    return open(thread, sealed, (out, _) -> all.apply(out));
  }

  private static ThreadRecord opened(Sealing out, ThreadRecord sealed) {
    return new ThreadRecord(
        out.saved(sealed.latest()),
        sealed.tasks().stream().map(out::task).toList(),
        sealed.steps().stream().map(out::step).toList(),
        sealed.answers().stream().map(out::answer).toList());
  }

  // --- Reading ---

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return super.latest(lineage).map(s -> open(lineage.thread(), s, Sealing::saved));
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    return combined
        .threadRecord(lineage)
        .map(s -> open(lineage.thread(), s, EncryptedCheckpointer::opened));
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return super.byId(lineage, id).map(s -> open(lineage.thread(), s, Sealing::saved));
  }

  @Override
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return combined
        .changes(lineage, id)
        .map(all -> openAll(lineage.thread(), all, Sealing::change));
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return openAll(lineage.thread(), super.page(lineage, before, limit), Sealing::checkpoint);
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return openAll(lineage.thread(), super.tasks(lineage, checkpoint), Sealing::task);
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return openAll(lineage.thread(), super.steps(lineage, checkpoint), Sealing::step);
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return openAll(lineage.thread(), super.answers(lineage, checkpoint), Sealing::answer);
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return openAll(thread, super.entries(thread, after, limit, filter), Sealing::entry);
  }

  @Override
  public List<ThreadSummary> threads(ThreadQuery query) {
    if (query.metadata().isEmpty()) return opened(super.threads(query));
    // The store cannot read what it is asked for.
    var found = new ArrayList<ThreadSummary>();
    var some = query.withoutMetadata(Math.max(query.limit(), FILTERED_PAGE));
    while (true) {
      var page = opened(super.threads(some));
      for (var head : page) {
        if (head.checkpoint().hasMetadata(query.metadata())) found.add(head);
        if (found.size() == query.limit()) return List.copyOf(found);
      }
      if (page.size() < some.limit()) return List.copyOf(found);
      some = some.after(page.getLast().thread());
    }
  }

  private List<ThreadSummary> opened(List<ThreadSummary> sealed) {
    return sealed.stream().map(head -> open(head.thread(), head, Sealing::head)).toList();
  }

  @Override
  public Optional<ThreadSummary> find(String thread) {
    return super.find(thread).map(head -> open(thread, head, Sealing::head));
  }

  // --- Writing ---

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return super.commit(lease, in(lease).commit(commit));
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return combined.commitLast(lease, in(lease).commit(commit));
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    var in = in(lease);
    var existing =
        combined.saveTaskLast(lease, lineage, checkpoint, in.task(task), in.entries(journal));
    return open(lease.thread(), existing, Sealing::task);
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    var in = in(lease);
    var existing = super.saveTask(lease, lineage, checkpoint, in.task(task), in.entries(journal));
    return open(lease.thread(), existing, Sealing::task);
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    var existing = super.saveStep(lease, lineage, checkpoint, in(lease).step(step));
    return open(lease.thread(), existing, Sealing::step);
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    var in = in(lease);
    var sealed = answers.stream().map(in::answer).toList();
    return super.answer(lease, lineage, checkpoint, sealed, in.entries(journal));
  }

  @Override
  public void append(Lease lease, List<Entry> entries) {
    super.append(lease, in(lease).entries(entries));
  }

  // --- Threads ---

  @Override
  public boolean fork(Lease lease, Fork fork) {
    return sharing(lease, fork.source().thread(), () -> super.fork(lease, in(lease).fork(fork)));
  }

  @Override
  public boolean copy(Lease lease, String source) {
    return sharing(lease, source, () -> super.copy(lease, source));
  }

  /// Puts a thread that receives values of another thread into that thread's family.
  private boolean sharing(Lease lease, String source, BooleanSupplier work) {
    var thread = lease.thread();
    if (thread.equals(source) || !super.page(Lineage.of(thread), Optional.empty(), 1).isEmpty())
      return work.getAsBoolean();
    var before = bindings.read(thread);
    bindings.share(lease, source);
    if (work.getAsBoolean()) return true;
    // Nothing was given, so what the thread has is still its own.
    bindings.bind(lease, before.orElseGet(() -> Family.create(false)));
    return false;
  }

  @Override
  public void delete(Lease lease) {
    super.delete(lease);
    bindings.forget(lease.thread());
  }

  @Override
  public String toString() {
    return "EncryptedCheckpointer[" + store() + "]";
  }
}
