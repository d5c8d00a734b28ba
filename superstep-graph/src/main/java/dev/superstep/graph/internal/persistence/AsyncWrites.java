package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.graph.internal.kernel.EngineThreads;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
  public Checkpointer store() {
    return direct.store();
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    settle();
    return direct.latest(lineage);
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    settle();
    return direct.threadRecord(lineage);
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    settle();
    return direct.tasks(lineage, checkpoint);
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    settle();
    return direct.steps(lineage, checkpoint);
  }

  @Override
  public boolean commit(Commit commit) {
    boolean isOwn = commit.lineage().namespace().isEmpty();
    enqueue(() -> {
      if (isOwn) first.run();
      if (!direct.commit(commit)) throw new LeaseLost(direct.lease());
    });
    return true;
  }

  @Override
  public boolean fork(Fork fork) {
    settle();
    return direct.fork(fork);
  }

  @Override
  public void task(Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    boolean isOwn = lineage.namespace().isEmpty();
    enqueue(() -> {
      if (isOwn) first.run();
      direct.task(lineage, checkpoint, task, journal);
    });
  }

  @Override
  public boolean commitFirst(Commit commit) {
    settle();
    return direct.commit(commit);
  }

  @Override
  public StepRecord step(Lineage lineage, String checkpoint, StepRecord step) {
    var written = new Written();
    enqueue(() -> written.record = direct.step(lineage, checkpoint, step));
    return await(written);
  }

  /// The final record of a step, once it is known. Set by the thread that writes.
  private static final class Written {
    private volatile @Nullable StepRecord record;
  }

  private StepRecord await(Written written) {
    lock.lock();
    try {
      while (true) {
        var record = written.record;
        if (record != null) return record;
        throwFailure();
        moved.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public StepRecord mark(Lineage lineage, String checkpoint, StepRecord mark) {
    enqueue(() -> direct.step(lineage, checkpoint, mark));
    return mark;
  }

  @Override
  public boolean answer(
      Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    settle();
    return direct.answer(lineage, checkpoint, answers, journal);
  }

  @Override
  public void append(List<Entry> entries) {
    if (!entries.isEmpty()) enqueue(() -> direct.append(entries));
  }

  @Override
  public void settle() {
    lock.lock();
    try {
      while (failure == null && (atWork || !waiting.isEmpty())) moved.awaitUninterruptibly();
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void enqueue(Runnable write) {
    lock.lock();
    try {
      while (failure == null && waiting.size() >= WAITING_MAX) moved.awaitUninterruptibly();
      throwFailure();
      waiting.add(write);
      if (atWork) return;
      atWork = true;
      EngineThreads.start(run, "saving", this::work);
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    var write = next();
    while (write != null) {
      try {
        write.run();
      } catch (Throwable e) {
        // Whatever it is: a run that waits for its writes must hear of it.
        fail(e);
      }
      write = next();
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

  private void throwFailure() {
    if (failure instanceof RuntimeException e) throw e;
    if (failure instanceof Error e) throw e;
  }
}
