package dev.superstep.detached;

import dev.superstep.lock.Mutex;
import dev.superstep.node.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Work that outlives the node or the call that started it, such as a long search that an agent
/// starts, looks after from time to time, and reads when it is there.
///
/// ```java
/// try (var tasks = DetachedTasks.<Report>open(100, Duration.ofSeconds(5))) {
///   var alice = tasks.ownedBy("alice");
///   var id = alice.start("search", cancellation -> search(cancellation));
///   if (alice.await(id, Duration.ofSeconds(1)) instanceof Finished(var report)) show(report);
/// }
/// ```
///
/// Each task has an owner, and nobody else may see, await or cancel it. A task stays registered,
/// also when nobody waited for it long enough, until it has ended and [#sweep] forgets it. In
/// memory only: what must survive a crash is a graph on a thread.
///
/// Safe for many threads. Each task has a virtual thread of its own; whoever awaits or cancels
/// waits on the calling thread, by the system's clock. The given clock tells when tasks started and
/// ended, and what is old enough to be swept.
///
/// @param <T> what the tasks give
public final class DetachedTasks<T> implements AutoCloseable {
  private final int most;
  private final Duration grace;
  private final InstantSource clock;
  private final Ids ids;
  private final Mutex lock = new Mutex();
  // In the order in which they were started.
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>();
  private boolean closed;

  private DetachedTasks(int most, Duration grace, InstantSource clock, Ids ids) {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
    if (grace.isNegative()) {
      throw new IllegalArgumentException("grace must not be negative, was " + grace);
    }
    this.most = most;
    this.grace = grace;
    this.clock = clock;
    this.ids = ids;
  }

  /// An empty registry.
  ///
  /// @param most how many tasks may be registered, those that have ended and were not swept
  ///   included
  /// @param grace how long a task that is asked to stop may go on before it is interrupted
  public static <T> DetachedTasks<T> open(int most, Duration grace) {
    return open(most, grace, InstantSource.system(), Ids.timeOrdered());
  }

  /// Like [#open(int, Duration)], with a clock and ids of the caller's own.
  public static <T> DetachedTasks<T> open(int most, Duration grace, InstantSource clock, Ids ids) {
    return new DetachedTasks<>(most, grace, clock, ids);
  }

  /// The tasks of one owner, such as a user, a thread or a run.
  public OwnedTasks<T> ownedBy(String owner) {
    return new OwnedTasks<>(this, Objects.requireNonNull(owner, "owner"));
  }

  /// The number of registered tasks.
  public int size() {
    try (var _ = lock.hold()) {
      return entries.size();
    }
  }

  /// Forgets the tasks of all owners that ended that long ago or longer. What is at work stays,
  /// however old it is.
  ///
  /// @return how many were forgotten
  public int sweep(Duration age) {
    var limit = clock.instant().minus(age);
    try (var _ = lock.hold()) {
      int before = entries.size();
      entries.values().removeIf(entry -> entry.hasEndedBy(limit));
      return before - entries.size();
    }
  }

  /// Asks all tasks to stop, gives them the grace together, and interrupts those that are still at
  /// work. Work that does not heed that either is left behind. No task can be started any more;
  /// those that ended can still be read. An interrupted caller does not wait.
  @Override
  public void close() {
    List<Entry<T>> all;
    try (var _ = lock.hold()) {
      closed = true;
      all = List.copyOf(entries.values());
    }
    all.forEach(Entry::request);
    try {
      awaitAll(all);
      all.forEach(Entry::interrupt);
      awaitAll(all);
    } catch (InterruptedException _) {
      all.forEach(Entry::interrupt);
      Thread.currentThread().interrupt();
    }
  }

  private void awaitAll(List<Entry<T>> all) throws InterruptedException {
    long began = System.nanoTime();
    for (var entry : all) entry.await(grace.minusNanos(System.nanoTime() - began));
  }

  String start(String owner, String name, Map<String, String> labels, DetachedWork<T> work) {
    var entry = new Entry<T>(ids.next(), owner, name, labels, clock);
    try (var _ = lock.hold()) {
      if (closed) throw new DetachedTasksClosed(owner, name);
      if (entries.size() >= most) throw new TooManyDetachedTasks(most, running());
      entries.put(entry.id, entry);
    }
    Thread.ofVirtual().name("superstep-detached-" + entry.id).start(() -> entry.run(work));
    return entry.id;
  }

  private int running() {
    int atWork = 0;
    for (var entry : entries.values()) if (!entry.hasEnded()) atWork++;
    return atWork;
  }

  TaskState<T> await(String owner, String id, Duration most) throws InterruptedException {
    return owned(owner, id).await(most);
  }

  Optional<String> awaitAny(String owner, Collection<String> tasks, Duration most)
      throws InterruptedException {
    var entries = new ArrayList<Entry<T>>();
    for (var id : tasks) entries.add(owned(owner, id));
    var ended = new LinkedBlockingQueue<String>();
    Consumer<String> hears = ended::add;
    try {
      for (var entry : entries) entry.whenEnded(hears);
      return Optional.ofNullable(ended.poll(most.toNanos(), TimeUnit.NANOSECONDS));
    } finally {
      for (var entry : entries) entry.forget(hears);
    }
  }

  TaskState<T> cancel(String owner, String id) throws InterruptedException {
    var entry = owned(owner, id);
    entry.request();
    var state = entry.await(grace);
    if (state.hasEnded()) return state;
    entry.interrupt();
    return entry.await(grace);
  }

  TaskInfo<T> info(String owner, String id) {
    return owned(owner, id).info();
  }

  List<TaskInfo<T>> all(String owner) {
    var found = new ArrayList<TaskInfo<T>>();
    try (var _ = lock.hold()) {
      for (var entry : entries.values()) if (entry.owner.equals(owner)) found.add(entry.info());
    }
    return found;
  }

  private Entry<T> owned(String owner, String id) {
    try (var _ = lock.hold()) {
      var entry = entries.get(id);
      if (entry == null) throw new UnknownDetachedTask(owner, id);
      if (!entry.owner.equals(owner)) throw new NotTheOwner(owner, id);
      return entry;
    }
  }

  @Override
  public String toString() {
    return "DetachedTasks[" + size() + " of at most " + most + "]";
  }
}
