package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.run.Durability;
import java.util.ArrayList;
import java.util.List;

/// The leases of one run: on its thread in its own store, and in the other stores of its subgraphs.
/// Safe for many threads.
public final class ThreadLeases implements AutoCloseable {
  private final RunSettings options;
  private final String thread;
  private final String run;
  private final CancellationToken token;
  // Mostly of one store. Each is replaced by a longer one, so that it can be read as it is.
  private List<WriteStrategy> writes = List.of();
  private List<ThreadLease> holds = List.of();

  public ThreadLeases(RunSettings options, String thread, String run, CancellationToken token) {
    this.options = options;
    this.thread = thread;
    this.run = run;
    this.token = token;
  }

  /// Returns the writes to the thread in a store; acquires its lease there if this run has none
  /// yet.
  ///
  /// @throws dev.superstep.checkpoint.ThreadBusy if somebody else is at work on it
  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  public synchronized WriteStrategy on(Checkpointer store) {
    for (var known : writes) if (known.store() == store) return known;
    var lease = store.acquire(thread, owner(), options.lease());
    return writing(store, new ThreadLease(store, lease, options, token));
  }

  /// Acquires the thread in the run's own store, together with its record, and returns the writes
  /// to it.
  ///
  /// @throws dev.superstep.checkpoint.ThreadBusy if somebody else is at work on it
  public synchronized WriteStrategy acquire(Checkpointer store) {
    if (isPending()) forgetPending();
    var acquired = CombinedCalls.of(store).acquireThread(thread, owner(), options.lease());
    return writing(store, new ThreadLease(store, acquired, options, token));
  }

  /// Returns the writes to the thread in the run's own store, of which the first, a checkpoint or
  /// answers, acquires the thread; where that cannot be, it is acquired now. Only writes that are
  /// made at once can do that.
  ///
  /// @throws dev.superstep.checkpoint.ThreadBusy if somebody else is at work on it
  public synchronized WriteStrategy acquireWithFirstWrite(Checkpointer store) {
    if (options.durability() != Durability.SYNC) return acquire(store);
    var idle = CombinedCalls.of(store).idleThread(thread);
    return idle.isEmpty()
        ? acquire(store)
        : writing(store, new ThreadLease(store, idle.get(), owner(), options, token));
  }

  /// Returns whether the thread in the run's own store is still to be acquired.
  public synchronized boolean isPending() {
    return !holds.isEmpty() && holds.getFirst().isPending();
  }

  /// Returns the writes to the thread in the run's own store.
  public synchronized WriteStrategy own() {
    return writes.getFirst();
  }

  private String owner() {
    return "run " + run + " of process " + ProcessHandle.current().pid();
  }

  /// No other store is written to before the run's own.
  private void forgetPending() {
    holds = List.of();
    writes = List.of();
  }

  private WriteStrategy writing(Checkpointer store, ThreadLease threadLease) {
    holds = with(holds, threadLease);
    var made =
        switch (options.durability()) {
          case SYNC -> threadLease.writes();
          case ASYNC -> new AsyncWrites(threadLease.writes(), run, first(store));
          case EXIT -> new ExitWrites(threadLease.writes(), first(store));
        };
    writes = with(writes, made);
    return made;
  }

  private static <T> List<T> with(List<T> all, T added) {
    if (all.isEmpty()) return List.of(added);
    var more = new ArrayList<>(all);
    more.add(added);
    return List.copyOf(more);
  }

  /// Returns the work to do before the thread's own graph is saved: its checkpoint names the
  /// memories of subgraphs, so those in other stores are saved first.
  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  private Runnable first(Checkpointer store) {
    if (store != options.checkpointer().orElse(null)) return () -> {};
    return () -> {
      for (var other : all()) if (other.store() != store) other.settle();
    };
  }

  /// Returns when all that was written is in its store.
  public void settle() {
    for (var each : all()) each.settle();
  }

  private synchronized List<WriteStrategy> all() {
    return writes;
  }

  @Override
  public synchronized void close() {
    for (var threadLease : holds) threadLease.close();
  }
}
