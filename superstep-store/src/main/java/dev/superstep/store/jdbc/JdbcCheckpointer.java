package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadBinding;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.store.jdbc.rows.AnswerRows;
import dev.superstep.store.jdbc.rows.Blobs;
import dev.superstep.store.jdbc.rows.ChangeRows;
import dev.superstep.store.jdbc.rows.CheckpointKey;
import dev.superstep.store.jdbc.rows.CheckpointQueries;
import dev.superstep.store.jdbc.rows.CheckpointRows;
import dev.superstep.store.jdbc.rows.Deletion;
import dev.superstep.store.jdbc.rows.EntryRows;
import dev.superstep.store.jdbc.rows.Forks;
import dev.superstep.store.jdbc.rows.Leases;
import dev.superstep.store.jdbc.rows.StepRows;
import dev.superstep.store.jdbc.rows.TaskRows;
import dev.superstep.store.jdbc.rows.ThreadRows;
import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The part that the checkpointers in databases share: which rows a call reads and writes. Each
/// subclass supplies the transactions.
abstract sealed class JdbcCheckpointer
    implements Checkpointer,
        CheckpointerCapability.ThreadListing,
        CheckpointerCapability.ThreadForks,
        CheckpointerCapability.ThreadRemoval,
        CheckpointerCapability.EventJournal,
        CheckpointerCapability.LeaseControl,
        CheckpointerCapability.BindingStorage,
        CheckpointerCapability.GraphShapes,
        CheckpointerCapability.CombinedCalls
    permits PostgresCheckpointer, SqliteCheckpointer {
  /// Runs the operation on one consistent state of the database.
  abstract <T> T read(Operation<T> operation);

  /// Runs a read of a single thread's state, which may use the writer's connection.
  <T> T readOnWriter(Operation<T> operation) {
    return read(operation);
  }

  /// Runs the operation in a transaction that is committed when this returns.
  abstract <T> T write(Operation<T> operation);

  /// Returns whether the database is a server, so that requests cost a round trip.
  abstract boolean isRemote();

  // --- Who may write ---

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    var name = Lineage.of(thread).thread();
    return given(write(sql -> Leases.acquire(sql, name, owner, time)));
  }

  private static Lease given(Leases.Grant grant) {
    return switch (grant) {
      case Leases.Grant.Granted(var lease, _) -> lease;
      case Leases.Grant.Denied(var why) -> throw why;
    };
  }

  private record LeaseCheck(Leases.Grant grant, Optional<ThreadRecord> threadRecord) {}

  @Override
  public AcquiredThread acquireThread(String thread, String owner, Duration time) {
    var lineage = Lineage.of(thread);
    var looked =
        write(sql -> {
          var request = Leases.request(sql, lineage.thread(), owner, time);
          var newest = CheckpointQueries.newest(sql, lineage);
          var grant = request.grant();
          boolean isKept = grant instanceof Leases.Grant.Granted(_, var isNew) && !isNew;
          if (!isKept) return new LeaseCheck(grant, Optional.empty());
          var blobs = Blobs.resolving(sql);
          var current = request.isRepeated() ? CheckpointQueries.newest(sql, lineage) : newest;
          var found = CheckpointQueries.threadRecord(sql, lineage, current);
          return new LeaseCheck(grant, blobs.optional(found, blobs::threadRecord));
        });
    return new AcquiredThread(given(looked.grant()), looked.threadRecord());
  }

  @Override
  public Optional<IdleThread> idleThread(String thread) {
    // Several requests would take more round trips to a server.
    if (isRemote()) return Optional.empty();
    return readOnWriter(sql -> {
      var idle = CheckpointQueries.idle(sql, thread);
      if (idle.isEmpty() || idle.get().threadRecord().isEmpty()) return idle;
      var blobs = Blobs.resolving(sql);
      var threadRecord = blobs.threadRecord(idle.get().threadRecord().get());
      return Optional.of(new IdleThread(thread, idle.get().token(), Optional.of(threadRecord)));
    });
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    return write(sql -> {
      var lease = new Lease(idle.thread(), owner, sql.ids().tokens().after(sql, idle.token()));
      check(lease, write.lineage());
      var claim = Leases.acquireIdle(sql, idle, lease, time, write);
      if (claim.row().first().isEmpty()) return Optional.empty();
      if (isMade(sql, claim, write)) return Optional.of(lease);
      Leases.release(sql, lease);
      return Optional.empty();
    });
  }

  private static boolean isMade(Sql sql, Leases.Claim claim, FirstWrite write) throws SQLException {
    var values = Blobs.replacing(sql, claim.lease().thread());
    return switch (write) {
      case FirstWrite.OfCommit(var commit) ->
          CheckpointRows.commit(sql, claim.lease(), values.commit(commit), false);
      case FirstWrite.OfAnswers(var lineage, var checkpoint, var answers, var journal) ->
          AnswerRows.save(
              sql, claim, new CheckpointKey(lineage, checkpoint), values.answers(answers), journal);
    };
  }

  @Override
  public boolean renew(Lease lease, Duration time) {
    return write(sql -> Leases.renew(sql, lease, time));
  }

  @Override
  public void release(Lease lease) {
    write(sql -> {
      Leases.release(sql, lease);
      return true;
    });
  }

  @Override
  public boolean requestCancel(String thread) {
    return write(sql -> Leases.requestCancel(sql, thread));
  }

  @Override
  public boolean breakLease(String thread) {
    return write(sql -> Leases.breakLease(sql, thread));
  }

  // --- For a checkpointer around this one ---

  @Override
  public ThreadBinding binding(String thread) {
    return read(sql -> Leases.binding(sql, thread));
  }

  @Override
  public void bind(Lease lease, String binding) {
    write(sql -> Leases.bind(sql, lease, binding));
  }

  // --- Reading checkpoints ---

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return read(sql -> {
      var blobs = Blobs.resolving(sql);
      return blobs.optional(CheckpointQueries.latest(sql, lineage), blobs::saved);
    });
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    return readOnWriter(sql -> threadRecord(sql, lineage));
  }

  private static Optional<ThreadRecord> threadRecord(Sql sql, Lineage lineage) throws SQLException {
    var blobs = Blobs.resolving(sql);
    return blobs.optional(CheckpointQueries.threadRecord(sql, lineage), blobs::threadRecord);
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return read(sql -> {
      var blobs = Blobs.resolving(sql);
      return blobs.optional(CheckpointQueries.byId(sql, lineage, id), blobs::saved);
    });
  }

  @Override
  public Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return read(sql -> {
      var blobs = Blobs.resolving(sql);
      return blobs.optional(ChangeRows.changes(sql, lineage, id), blobs::changes);
    });
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return read(sql ->
        Blobs.resolving(sql).checkpoints(CheckpointQueries.page(sql, lineage, before, limit)));
  }

  @Override
  public List<Checkpoint> page(
      Lineage lineage, Map<String, String> metadata, Optional<String> before, int limit) {
    return read(sql ->
        Blobs.resolving(sql)
            .checkpoints(CheckpointQueries.page(sql, lineage, metadata, before, limit)));
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return read(sql -> Blobs.resolving(sql).tasks(TaskRows.all(sql, lineage, checkpoint)));
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return read(sql -> Blobs.resolving(sql).steps(StepRows.all(sql, lineage, checkpoint)));
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return read(sql -> Blobs.resolving(sql).answers(AnswerRows.all(sql, lineage, checkpoint)));
  }

  @Override
  public Optional<String> described(String graph, String hash) {
    return read(sql -> ThreadRows.described(sql, graph, hash));
  }

  // --- Writing ---

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return commit(lease, commit, false);
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return commit(lease, commit, true);
  }

  private boolean commit(Lease lease, Commit commit, boolean isLast) {
    check(lease, commit.lineage());
    return write(sql -> {
      var stored = Blobs.replacing(sql, lease.thread()).commit(commit);
      return CheckpointRows.commit(sql, lease, stored, isLast);
    });
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    check(lease, lineage);
    var where = new CheckpointKey(lineage, checkpoint);
    var put =
        write(sql -> {
          var stored = Blobs.replacing(sql, lease.thread()).task(task);
          var claim =
              journal.isEmpty()
                  ? Leases.claimShared(sql, lease, lineage)
                  : Leases.claim(sql, lease, journal.size(), lineage);
          return new Put<>(stored, TaskRows.save(sql, claim, where, stored, journal));
        });
    return standing(task, put);
  }

  /// A record that was to be put, and the one that stands now: the first of a task is kept.
  private record Put<T>(T offered, T standing) {
    boolean isOffered() {
      return standing.equals(offered);
    }
  }

  private TaskRecord standing(TaskRecord task, Put<TaskRecord> put) {
    return put.isOffered() ? task : read(sql -> Blobs.resolving(sql).task(put.standing()));
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    check(lease, lineage);
    var where = new CheckpointKey(lineage, checkpoint);
    var put =
        write(sql -> {
          var stored = Blobs.replacing(sql, lease.thread()).task(task);
          var claim = Leases.claimAndRelease(sql, lease, journal.size(), lineage);
          return new Put<>(stored, TaskRows.save(sql, claim, where, stored, journal));
        });
    return standing(task, put);
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    check(lease, lineage);
    var where = new CheckpointKey(lineage, checkpoint);
    var put =
        write(sql -> {
          var stored = Blobs.replacing(sql, lease.thread()).step(step);
          return new Put<>(stored, StepRows.save(sql, lease, where, stored));
        });
    return put.isOffered() ? step : read(sql -> Blobs.resolving(sql).step(put.standing()));
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    check(lease, lineage);
    var where = new CheckpointKey(lineage, checkpoint);
    return write(sql -> {
      var stored = Blobs.replacing(sql, lease.thread()).answers(answers);
      var claim = Leases.claim(sql, lease, journal.size(), lineage);
      return AnswerRows.save(sql, claim, where, stored, journal);
    });
  }

  private static void check(Lease lease, Lineage lineage) {
    if (lineage.thread().equals(lease.thread())) return;
    throw new IllegalArgumentException(
        "the lease is of thread `%s`, not of `%s`".formatted(lease.thread(), lineage.thread()));
  }

  // --- The journal ---

  @Override
  public void append(Lease lease, List<Entry> entries) {
    write(sql -> EntryRows.append(sql, lease, entries));
  }

  @Override
  public List<Entry> entries(String thread, long after, int limit, EntryFilter filter) {
    return read(sql -> EntryRows.read(sql, thread, after, limit, filter));
  }

  @Override
  public long lastOffset(String thread) {
    return read(sql -> EntryRows.last(sql, thread));
  }

  @Override
  public int trimJournal(Lease lease, long through) {
    return write(sql -> EntryRows.trim(sql, lease, through));
  }

  // --- Threads ---

  @Override
  public List<ThreadSummary> threads(ThreadQuery query) {
    return read(sql -> Blobs.resolving(sql).heads(ThreadRows.list(sql, query)));
  }

  @Override
  public Optional<ThreadSummary> find(String thread) {
    return read(sql -> {
      var blobs = Blobs.resolving(sql);
      return blobs.optional(ThreadRows.find(sql, thread), blobs::head);
    });
  }

  @Override
  public boolean fork(Lease lease, Fork fork) {
    check(lease, fork.target());
    return write(sql -> {
      var stored = Blobs.replacing(sql, lease.thread()).fork(fork);
      return Forks.fork(sql, lease, stored);
    });
  }

  @Override
  public boolean copy(Lease lease, String source) {
    return write(sql -> Forks.copy(sql, lease, source));
  }

  @Override
  public void delete(Lease lease) {
    write(sql -> Deletion.delete(sql, lease));
  }

  @Override
  public int deleteRun(Lease lease, String run, Set<Memory> needed) {
    return write(sql -> Deletion.run(sql, lease, run, needed));
  }

  @Override
  public int prune(Lease lease, Prune prune) {
    return write(sql -> Deletion.prune(sql, lease, prune));
  }
}
