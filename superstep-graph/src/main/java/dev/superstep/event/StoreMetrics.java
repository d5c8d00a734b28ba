package dev.superstep.event;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.SuperstepException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Counts the calls that runs make to their checkpointers and the time that they take, which no
/// event contains.
///
/// ```java
/// var metrics = new StoreMetrics();
/// var store = metrics.measuring(SqliteCheckpointer.open(file));
/// graph.invoke(input, RunOptions.thread("t-42").checkpoints(store));
/// System.out.println(metrics.snapshot().times().get(StoreMetrics.Call.SAVE).within(0.95));
/// ```
///
/// Measure each storage by an object of its own to tell them apart. Calls that are not part of a
/// run, such as listing or pruning threads, are not counted. Safe for many threads.
public final class StoreMetrics {
  private final Map<Call, Latency.Count> times = new EnumMap<>(Call.class);
  private final Map<String, Long> failures = new TreeMap<>();
  private final LongSupplier nanos;

  /// A kind of call that a run makes to a checkpointer.
  public enum Call {
    /// Reads the state of a thread, or an earlier one.
    LOAD,
    /// Saves a checkpoint, the end of a task, a step, answers or journal entries.
    SAVE,
    /// Acquires a thread, or reads whether it is free to be acquired by the first write of a run;
    /// renews the lease, or releases it.
    LEASE
  }

  /// The counts at some moment. Immutable.
  ///
  /// @param times by what was asked; calls that failed count as well
  /// @param failures by their code, such as `store.failed` or `thread.busy`
  public record Snapshot(Map<Call, Latency> times, Map<String, Long> failures) {
    public Snapshot {
      times = Collections.unmodifiableMap(new EnumMap<>(times));
      failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    }
  }

  /// Nothing counted.
  public StoreMetrics() {
    this(System::nanoTime);
  }

  /// @param nanos returns the time in nanoseconds since any fixed moment
  StoreMetrics(LongSupplier nanos) {
    this.nanos = nanos;
    for (var call : Call.values()) times.put(call, new Latency.Count());
  }

  /// Returns a checkpointer that forwards to this one and counts its calls here.
  public Checkpointer measuring(Checkpointer store) {
    return new Measured(store);
  }

  /// Returns the counts so far.
  public synchronized Snapshot snapshot() {
    var latencies = new EnumMap<Call, Latency>(Call.class);
    times.forEach((call, count) -> latencies.put(call, count.latency()));
    return new Snapshot(latencies, failures);
  }

  private <T> T timed(Call call, Supplier<T> work) {
    long began = nanos.getAsLong();
    String failure = null;
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      failure = e instanceof SuperstepException known ? known.code() : "internal";
      throw e;
    } finally {
      count(call, Duration.ofNanos(nanos.getAsLong() - began), Optional.ofNullable(failure));
    }
  }

  private synchronized void count(Call call, Duration took, Optional<String> failure) {
    Objects.requireNonNull(times.get(call)).add(took);
    failure.ifPresent(code -> failures.merge(code, 1L, Long::sum));
  }

  /// A checkpointer that is measured.
  private final class Measured extends ForwardingCheckpointer implements CombinedCalls {
    private final CombinedCalls combined;

    Measured(Checkpointer store) {
      super(store);
      this.combined = CombinedCalls.of(store);
    }

    @Override
    public Lease acquire(String thread, String owner, Duration time) {
      return timed(Call.LEASE, () -> super.acquire(thread, owner, time));
    }

    @Override
    public AcquiredThread acquireThread(String thread, String owner, Duration time) {
      return timed(Call.LEASE, () -> combined.acquireThread(thread, owner, time));
    }

    @Override
    public Optional<IdleThread> idleThread(String thread) {
      return timed(Call.LEASE, () -> combined.idleThread(thread));
    }

    @Override
    public Optional<Lease> acquireWith(
        IdleThread idle, String owner, Duration time, FirstWrite write) {
      return timed(Call.SAVE, () -> combined.acquireWith(idle, owner, time, write));
    }

    @Override
    public boolean renew(Lease lease, Duration time) {
      return timed(Call.LEASE, () -> super.renew(lease, time));
    }

    @Override
    public void release(Lease lease) {
      timed(
          Call.LEASE,
          () -> {
            super.release(lease);
            return true;
          });
    }

    @Override
    public Optional<Saved> latest(Lineage lineage) {
      return timed(Call.LOAD, () -> super.latest(lineage));
    }

    @Override
    public Optional<ThreadRecord> threadRecord(Lineage lineage) {
      return timed(Call.LOAD, () -> combined.threadRecord(lineage));
    }

    @Override
    public Optional<Saved> byId(Lineage lineage, String id) {
      return timed(Call.LOAD, () -> super.byId(lineage, id));
    }

    @Override
    public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
      return combined.changes(lineage, id);
    }

    @Override
    public boolean commit(Lease lease, Commit commit) {
      return timed(Call.SAVE, () -> super.commit(lease, commit));
    }

    @Override
    public TaskRecord saveTask(
        Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      return timed(Call.SAVE, () -> super.saveTask(lease, lineage, checkpoint, task, journal));
    }

    @Override
    public boolean commitLast(Lease lease, Commit commit) {
      return timed(Call.SAVE, () -> combined.commitLast(lease, commit));
    }

    @Override
    public TaskRecord saveTaskLast(
        Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      return timed(
          Call.SAVE, () -> combined.saveTaskLast(lease, lineage, checkpoint, task, journal));
    }

    @Override
    public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
      return timed(Call.SAVE, () -> super.saveStep(lease, lineage, checkpoint, step));
    }

    @Override
    public boolean answer(
        Lease lease,
        Lineage lineage,
        String checkpoint,
        List<Answer> answers,
        List<Entry> journal) {
      return timed(Call.SAVE, () -> super.answer(lease, lineage, checkpoint, answers, journal));
    }

    @Override
    public void append(Lease lease, List<Entry> entries) {
      timed(
          Call.SAVE,
          () -> {
            super.append(lease, entries);
            return true;
          });
    }
  }
}
