package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.graph.internal.kernel.EngineThreads;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Makes writes one after the other, in their order, while the run continues. A write after one
/// that failed is not made; the next caller that writes or settles gets the failure. When too many
/// wait, the run waits. Safe for many threads.
final class AsyncWrites implements WriteStrategy {
  private static final int WAITING_MAX = 256;

  private final SyncWrites direct;
  private final String run;
  private final Runnable first;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private boolean atWork;
  private @Nullable Throwable failure;

  /// @param first settles the memories in other stores that the thread's own graph names
  AsyncWrites(SyncWrites direct, String run, Runnable first) {
    this.direct = direct;
    this.run = run;
    this.first = first;
  }

  @Override
  public SyncWrites direct() {
    return direct;
  }

  @Override
  public boolean commit(Commit commit) {
    enqueue(() -> {
      settleOthers(commit.lineage());
      if (!direct.commit(commit)) throw new LeaseLost(direct.lease());
    });
    return true;
  }

  @Override
  public void task(Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    enqueue(() -> {
      settleOthers(lineage);
      direct.task(lineage, checkpoint, task, journal);
    });
  }

  private void settleOthers(Lineage lineage) {
    if (lineage.namespace().isEmpty()) first.run();
  }

  @Override
  public StepRecord step(Lineage lineage, String checkpoint, StepRecord step) {
    var written = new AtomicReference<@Nullable StepRecord>();
    enqueue(() -> written.set(direct.step(lineage, checkpoint, step)));
    await(() -> written.get() != null);
    return Objects.requireNonNull(written.get());
  }

  @Override
  public StepRecord mark(Lineage lineage, String checkpoint, StepRecord mark) {
    enqueue(() -> direct.step(lineage, checkpoint, mark));
    return mark;
  }

  @Override
  public void append(List<Entry> entries) {
    if (!entries.isEmpty()) enqueue(() -> direct.append(entries));
  }

  @Override
  public void settle() {
    await(() -> failure == null && !atWork && waiting.isEmpty());
  }

  private void enqueue(Runnable write) {
    lock.lock();
    try {
      while (failure != null || waiting.size() >= WAITING_MAX) {
        throwFailure();
        moved.awaitUninterruptibly();
      }
      waiting.add(write);
      if (atWork) return;
      atWork = true;
      EngineThreads.start(run, "saving", this::work);
    } finally {
      lock.unlock();
    }
  }

  private void await(BooleanSupplier isSo) {
    lock.lock();
    try {
      while (!isSo.getAsBoolean()) {
        throwFailure();
        moved.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Throws the failure of a write, after which no other is made.
  private void throwFailure() {
    if (failure instanceof RuntimeException e) throw e;
    if (failure != null) throw failure instanceof Error e ? e : new AssertionError(failure);
  }

  private void work() {
    for (var write = next(); write != null; write = next()) {
      try {
        write.run();
      } catch (Throwable e) {
        // Whatever it is: a run that waits for its writes must hear of it.
        fail(e);
      }
    }
  }

  private @Nullable Runnable next() {
    lock.lock();
    try {
      var write = waiting.poll();
      if (write == null) atWork = false;
      moved.signalAll();
      return write;
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable why) {
    lock.lock();
    try {
      failure = why;
      // Each of them comes after the one that failed.
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }
}
