package dev.superstep.checkpoint;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/// Keeps threads in memory until the process ends. For tests and for runs whose loss does not
/// matter. Safe for many threads.
///
/// Values that cannot change are kept as they are, and are not encoded while nobody asks for their
/// text. A strict store encodes each value where it is saved, reads it back and compares the two,
/// so that it finds values that another store could not keep. Unless it is said, a store is strict
/// where assertions are enabled, as programs that run tests do.
public final class InMemoryCheckpointer
    implements Checkpointer,
        CheckpointerCapability.ThreadListing,
        CheckpointerCapability.ThreadForks,
        CheckpointerCapability.ThreadRemoval,
        CheckpointerCapability.EventJournal,
        CheckpointerCapability.LeaseControl,
        CheckpointerCapability.BindingStorage,
        CheckpointerCapability.GraphShapes,
        CheckpointerCapability.CombinedCalls {
  private final Map<String, MemoryThread> threads = new ConcurrentHashMap<>();
  private final Map<String, String> shapes = new ConcurrentHashMap<>();
  private final AtomicLong tokens = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();
  private final InstantSource clock;
  private final boolean isStrict;
  private volatile Order order = new Order(0, List.of());

  /// An empty store.
  public InMemoryCheckpointer() {
    this(InstantSource.system());
  }

  /// An empty store whose leases last by another clock than the system's.
  public InMemoryCheckpointer(InstantSource clock) {
    this(clock, InMemoryCheckpointer.class.desiredAssertionStatus());
  }

  /// An empty store that looks at each value, or does not.
  ///
  /// @param isStrict whether a value is encoded, read back and compared where it is saved
  public InMemoryCheckpointer(InstantSource clock, boolean isStrict) {
    this.clock = clock;
    this.isStrict = isStrict;
  }

  /// Returns whether each value is encoded, read back and compared where it is saved.
  public boolean isStrict() {
    return isStrict;
  }

  // --- Who may write ---

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    while (true) {
      var memoryThread =
          threads.computeIfAbsent(Lineage.of(thread).thread(), _ -> new MemoryThread());
      synchronized (memoryThread) {
        // Else it was deleted, or let go as empty, in between.
        if (threads.get(thread) == memoryThread) {
          var next = new Lease(thread, owner, tokens.incrementAndGet());
          return memoryThread.acquire(next, clock.instant(), time);
        }
      }
    }
  }

  @Override
  public Optional<IdleThread> idleThread(String thread) {
    return reading(
        thread,
        memoryThread ->
            memoryThread
                .idleToken()
                .map(token -> new IdleThread(thread, token, threadRecord(Lineage.of(thread)))),
        () -> Optional.of(new IdleThread(thread, 0, Optional.empty())));
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    var thread = Lineage.of(idle.thread()).thread();
    if (idle.token() == 0) threads.putIfAbsent(thread, new MemoryThread());
    return reading(
        thread,
        memoryThread -> {
          boolean isSame = memoryThread.idleToken().equals(Optional.of(idle.token()));
          // Else it was deleted, or let go as empty, in between.
          if (!isSame || threads.get(thread) != memoryThread) return Optional.empty();
          var next = new Lease(thread, owner, tokens.incrementAndGet());
          var lease = memoryThread.acquire(next, clock.instant(), time);
          boolean isMade = false;
          try {
            isMade = make(lease, write);
          } finally {
            if (!isMade) release(lease);
          }
          return isMade ? Optional.of(lease) : Optional.empty();
        },
        Optional::empty);
  }

  private boolean make(Lease lease, FirstWrite first) {
    return switch (first) {
      case FirstWrite.OfCommit(var commit) -> commit(lease, commit);
      case FirstWrite.OfAnswers(var lineage, var checkpoint, var answers, var journal) ->
          answer(lease, lineage, checkpoint, answers, journal);
    };
  }

  @Override
  public boolean renew(Lease lease, Duration time) {
    return holding(lease, memoryThread -> memoryThread.renew(lease, clock.instant(), time));
  }

  @Override
  public void release(Lease lease) {
    reading(
        lease.thread(),
        memoryThread -> {
          if (!memoryThread.isHeldBy(lease)) return false;
          memoryThread.release();
          return memoryThread.isBare() && threads.remove(lease.thread(), memoryThread);
        },
        () -> false);
  }

  @Override
  public boolean requestCancel(String thread) {
    return reading(thread, MemoryThread::requestCancel, () -> false);
  }

  @Override
  public boolean breakLease(String thread) {
    return reading(
        thread,
        memoryThread -> {
          if (!memoryThread.breakLease(tokens.incrementAndGet())) return false;
          if (memoryThread.isBare()) threads.remove(thread, memoryThread);
          return true;
        },
        () -> false);
  }

  // --- For a checkpointer around this one ---

  @Override
  public ThreadBinding binding(String thread) {
    return reading(thread, MemoryThread::binding, () -> new ThreadBinding(Optional.empty(), true));
  }

  @Override
  public void bind(Lease lease, String binding) {
    holding(lease, memoryThread -> memoryThread.bind(binding));
  }

  // --- Reading checkpoints ---

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return point(lineage, MemoryLineage::head);
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return point(lineage, line -> line.point(id));
  }

  private Optional<Saved> point(
      Lineage lineage, Function<MemoryLineage, Optional<MemoryLineage.Point>> which) {
    return reading(
        lineage.thread(),
        memoryThread -> memoryThread.find(lineage).flatMap(which).map(MemoryLineage.Point::saved),
        Optional::empty);
  }

  @Override
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return reading(
        lineage.thread(),
        memoryThread -> memoryThread.find(lineage).flatMap(line -> line.changes(id)),
        Optional::empty);
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return line(lineage, line -> line.page(before, limit));
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return line(lineage, line -> line.tasks(checkpoint));
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return line(lineage, line -> line.steps(checkpoint));
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return line(lineage, line -> line.answers(checkpoint));
  }

  private <T> List<T> line(Lineage lineage, Function<MemoryLineage, List<T>> read) {
    return reading(
        lineage.thread(),
        memoryThread -> memoryThread.find(lineage).map(read).orElse(List.of()),
        List::of);
  }

  @Override
  public Optional<String> described(String graph, String hash) {
    return Optional.ofNullable(shapes.get(graph + " " + hash));
  }

  // --- Writing ---

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return writing(lease, commit.lineage(), memoryThread -> commit(memoryThread, commit));
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return writing(
        lease,
        commit.lineage(),
        memoryThread -> {
          if (!commit(memoryThread, commit)) return false;
          memoryThread.release();
          return true;
        });
  }

  private boolean commit(MemoryThread memoryThread, Commit commit) {
    var checkpoint = commit.checkpoint();
    var line = memoryThread.line(commit.lineage());
    if (!line.commit(commit, sequence.incrementAndGet())) return false;
    memoryThread.append(commit.journal());
    if (commit.topology().isPresent()) {
      var name = checkpoint.graph() + " " + checkpoint.graphHash();
      shapes.putIfAbsent(name, commit.topology().get());
    }
    return true;
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return writing(
        lease,
        lineage,
        memoryThread -> {
          memoryThread.append(journal);
          return memoryThread.line(lineage).save(checkpoint, task);
        });
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return writing(
        lease,
        lineage,
        memoryThread -> {
          memoryThread.append(journal);
          var existing = memoryThread.line(lineage).save(checkpoint, task);
          memoryThread.release();
          return existing;
        });
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return writing(
        lease, lineage, memoryThread -> memoryThread.line(lineage).save(checkpoint, step));
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return writing(
        lease,
        lineage,
        memoryThread -> {
          if (!memoryThread.line(lineage).answer(checkpoint, answers)) return false;
          memoryThread.append(journal);
          return true;
        });
  }

  // --- The journal ---

  @Override
  public void append(Lease lease, List<Entry> entries) {
    holding(
        lease,
        memoryThread -> {
          memoryThread.append(entries);
          return true;
        });
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return reading(thread, memoryThread -> memoryThread.entries(after, limit, filter), List::of);
  }

  @Override
  public long lastOffset(String thread) {
    return reading(thread, MemoryThread::lastOffset, () -> 0L);
  }

  @Override
  public int trimJournal(Lease lease, long through) {
    return holding(lease, memoryThread -> memoryThread.trim(through));
  }

  // --- Threads ---

  /// A thread at the time when its newest checkpoint was made.
  private record Place(String thread, long sequence) {}

  /// The threads in the order of their newest checkpoints.
  ///
  /// @param sequence how much had changed in the store
  private record Order(long sequence, List<Place> newestFirst) {
    /// The place of a thread whose newest checkpoint is this one, or where it would be.
    int of(long newest) {
      int at =
          Collections.binarySearch(
              newestFirst,
              new Place("", newest),
              Comparator.comparingLong(Place::sequence).reversed());
      return at < 0 ? -at - 1 : at;
    }
  }

  @Override
  public List<ThreadSummary> threads(ThreadQuery query) {
    var threadsNow = order();
    int from = 0;
    if (query.before().isPresent()) {
      var seen = newest(query.before().get());
      if (seen.isEmpty()) return List.of();
      from = threadsNow.of(seen.get()) + 1;
    }
    var listed = new ArrayList<ThreadSummary>();
    int end = threadsNow.newestFirst().size();
    for (int i = from; i < end && listed.size() < query.limit(); i++) {
      wanted(threadsNow.newestFirst().get(i).thread(), query).ifPresent(listed::add);
    }
    return List.copyOf(listed);
  }

  /// The threads in order; sorted again only if one has changed.
  private Order order() {
    var known = order;
    long now = sequence.get();
    if (known.sequence() == now) return known;
    var newestFirst =
        threads.keySet().stream()
            .flatMap(thread -> newest(thread).stream().map(newest -> new Place(thread, newest)))
            .sorted(Comparator.comparingLong(Place::sequence).reversed())
            .toList();
    order = new Order(now, newestFirst);
    return order;
  }

  private Optional<Long> newest(String thread) {
    return reading(
        thread,
        memoryThread -> memoryThread.head().map(MemoryLineage.Point::sequence),
        Optional::empty);
  }

  private Optional<ThreadSummary> wanted(String thread, ThreadQuery query) {
    return reading(
        thread,
        memoryThread -> {
          if (query.run().isPresent() && !memoryThread.runs().contains(query.run().get())) {
            return Optional.empty();
          }
          return summary(thread, memoryThread)
              .filter(s -> query.graph().map(s.checkpoint().graph()::equals).orElse(true))
              .filter(s -> s.checkpoint().hasMetadata(query.metadata()));
        },
        Optional::empty);
  }

  @Override
  public Optional<ThreadSummary> find(String thread) {
    return reading(thread, memoryThread -> summary(thread, memoryThread), Optional::empty);
  }

  private Optional<ThreadSummary> summary(String thread, MemoryThread memoryThread) {
    return memoryThread
        .head()
        .map(point ->
            new ThreadSummary(thread, point.checkpoint(), memoryThread.holder(clock.instant())));
  }

  private record Source(MemoryLineage.Point point, Map<String, MemoryLineage.Point> memories) {}

  @Override
  public boolean fork(Lease lease, Fork fork) {
    var source = source(fork.source(), fork.from());
    boolean same = fork.source().thread().equals(fork.target().thread());
    return writing(
        lease,
        fork.target(),
        memoryThread -> {
          if (source.isEmpty()) return false;
          var line = memoryThread.line(fork.target());
          if (!fork.source().equals(fork.target()) && line.head().isPresent()) return false;
          if (line.point(fork.made().id()).isPresent()) return false;
          boolean isNamed = fork.made().progress().memories().isWhole() || !isOwn(fork.target());
          var memories = isNamed ? Map.<String, MemoryLineage.Point>of() : source.get().memories();
          if (!same) memoryThread.addMemories(memories, sequence::incrementAndGet);
          long place = sequence.incrementAndGet();
          line.add(source.get().point().apart(fork.made(), place));
          if (same && !isNamed) memoryThread.rewindMemories(memories, place);
          memoryThread.append(fork.journal());
          return true;
        });
  }

  private static boolean isOwn(Lineage lineage) {
    return lineage.namespace().isEmpty();
  }

  private Optional<Source> source(Lineage lineage, String id) {
    return reading(
        lineage.thread(),
        memoryThread ->
            memoryThread
                .find(lineage)
                .flatMap(line -> line.point(id))
                .map(point -> {
                  var apart = point.apart(point.sequence());
                  return new Source(apart, memoryThread.memories(point.sequence()));
                }),
        Optional::empty);
  }

  @Override
  public boolean copy(Lease lease, String source) {
    var lines =
        reading(
            source,
            memoryThread ->
                memoryThread.isEmpty()
                    ? Optional.<Map<String, MemoryLineage>>empty()
                    : Optional.of(memoryThread.copyOfLines(sequence::incrementAndGet)),
            Optional::<Map<String, MemoryLineage>>empty);
    return holding(
        lease,
        memoryThread -> {
          if (lines.isEmpty() || !memoryThread.isEmpty()) return false;
          sequence.incrementAndGet();
          memoryThread.addLines(lines.get());
          return true;
        });
  }

  @Override
  public void delete(Lease lease) {
    holding(
        lease,
        memoryThread -> {
          // A thread that still has the object sees that it has no lease any more.
          memoryThread.clear();
          return threads.remove(lease.thread(), memoryThread);
        });
  }

  @Override
  public int deleteRun(Lease lease, String run, Set<Memory> needed) {
    return holding(
        lease,
        memoryThread -> {
          // The newest checkpoint of the thread may be an older one from now on.
          sequence.incrementAndGet();
          return memoryThread.deleteRun(run, needed);
        });
  }

  @Override
  public int prune(Lease lease, Prune prune) {
    return holding(lease, memoryThread -> memoryThread.prune(prune));
  }

  @Override
  public void compact() {
    // Unreferenced objects are garbage collected.
  }

  @Override
  public void close() {
    // Memory is let go with the store.
  }

  // --- One thread at a time ---

  private <T> T reading(String thread, Function<MemoryThread, T> read, Supplier<T> absent) {
    var memoryThread = threads.get(thread);
    if (memoryThread == null) return absent.get();
    synchronized (memoryThread) {
      return read.apply(memoryThread);
    }
  }

  private <T> T writing(Lease lease, Lineage lineage, Function<MemoryThread, T> write) {
    if (!lineage.thread().equals(lease.thread())) {
      throw new IllegalArgumentException(
          "the lease is of thread `%s`, not of `%s`".formatted(lease.thread(), lineage.thread()));
    }
    return holding(lease, write);
  }

  private <T> T holding(Lease lease, Function<MemoryThread, T> write) {
    var memoryThread = threads.get(lease.thread());
    if (memoryThread == null) throw new LeaseLost(lease);
    synchronized (memoryThread) {
      if (!memoryThread.isHeldBy(lease)) throw new LeaseLost(lease);
      return write.apply(memoryThread);
    }
  }

  @Override
  public String toString() {
    return "InMemoryCheckpointer[" + threads.size() + " threads]";
  }
}
