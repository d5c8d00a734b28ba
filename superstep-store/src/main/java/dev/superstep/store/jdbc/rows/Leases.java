package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadBinding;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.store.jdbc.sql.Dialect;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Leases of threads. Every write begins with [#claim] or [#claimShared] in its own transaction. A
/// lease that was given back claims nothing, so that a thread without a holder does not change.
public final class Leases {
  // Of the loop between those who make a thread and those who delete it.
  private static final int TRIES_MAX = 100;
  private static final String HELD =
      "id, family, last_offset,"
          + " (select l.id from lineage l where l.thread = thread.id and l.namespace = ?)";
  private static final String AT_ONCE =
      """
      insert into thread (name, family, token, owner, process, until, cancelled, last_offset)
      values (?, ?, ?, ?, ?, %1$s + ?, 0, 0)
      on conflict (name) do update
      set token = excluded.token, owner = excluded.owner, process = excluded.process,
        until = excluded.until, cancelled = 0
      where thread.until <= %1$s and thread.token < excluded.token
      returning family
      """
          .formatted(Dialect.SQLITE.now());
  private static final String IDLE_NEW =
      """
      insert into thread (name, family, token, owner, process, until, cancelled, last_offset)
      values (?, ?, ?, ?, ?, %1$s + ?, 0, ?)
      on conflict (name) do nothing
      returning
      """
              .formatted(Dialect.SQLITE.now())
          + HELD;
  private static final String IDLE =
      """
      update thread
      set token = ?, owner = ?, process = ?, until = %1$s + ?, cancelled = 0,
        last_offset = last_offset + ?
      where name = ? and token = ? and until = 0 and token < ?
      returning
      """
              .formatted(Dialect.SQLITE.now())
          + HELD;
  private static final String RECLAIM =
      """
      update thread set token = (%2$s), owner = ?, process = ?, cancelled = 0, until = %1$s + ?
      where name = ? and until <= %1$s
      returning token
      """
          .formatted(Dialect.POSTGRES.now(), Dialect.POSTGRES.nextToken());
  private static final String ADD =
      """
      with made as (
        insert into family select where not exists (select 1 from thread where name = ?)
        returning id),
      added as (
        insert into thread (name, family, token, owner, process, until, cancelled, last_offset)
        select ?, id, (%2$s), ?, ?, %1$s + ?, 0, 0 from made
        on conflict do nothing
        returning token)
      select id, (select token from added) from made
      """
          .formatted(Dialect.POSTGRES.now(), Dialect.POSTGRES.nextToken());
  // A sum with the time of day still fits.
  private static final long MICROS_MAX = Long.MAX_VALUE / 4;

  private Leases() {}

  /// The row of a thread whose newest lease was shown.
  ///
  /// @param lastOffset with the entries that this transaction adds
  /// @param lineage the row of the lineage that was asked for, if it was seen
  public record ThreadRow(long thread, long family, long lastOffset, Optional<Long> lineage) {
    static ThreadRow of(ResultSet row) throws SQLException {
      long lineage = row.getLong(4);
      var seen = row.wasNull() ? Optional.<Long>empty() : Optional.of(lineage);
      return new ThreadRow(row.getLong(1), row.getLong(2), row.getLong(3), seen);
    }
  }

  /// The outcome of a request for a lease.
  public sealed interface Grant {
    /// The lease was granted.
    ///
    /// @param isNew whether nothing of the thread is stored yet
    record Granted(Lease lease, boolean isNew) implements Grant {}

    record Denied(ThreadBusy why) implements Grant {}
  }

  public static Grant acquire(Sql sql, String thread, String owner, Duration time)
      throws SQLException {
    return request(sql, thread, owner, time).grant();
  }

  /// Asks for the lease of a thread; pipelined with the next query.
  public static Request request(Sql sql, String thread, String owner, Duration time)
      throws SQLException {
    var request = new Request(sql, thread, owner, time);
    if (sql.dialect().hasLocks()) request.send();
    return request;
  }

  /// A request for a lease. For one thread at a time.
  public static final class Request {
    private final Sql sql;
    private final String thread;
    private final String owner;
    private final Duration time;
    private PendingResult<Long> reclaimed;
    private PendingResult<Addition> added;
    private boolean isRepeated;

    private Request(Sql sql, String thread, String owner, Duration time) {
      this.sql = sql;
      this.thread = thread;
      this.owner = owner;
      this.time = time;
      reclaimed = PendingResult.empty(sql);
      added = PendingResult.empty(sql);
    }

    public Grant grant() throws SQLException {
      for (int i = 0; i < TRIES_MAX; i++) {
        var given = sql.dialect().hasLocks() ? sent() : acquireInOneStatement(sql, leased(i), time);
        if (given.isPresent()) return given.get();
        var holder = holder(sql, thread);
        if (holder.isPresent() && !endsWithProcess(sql, thread, holder.get())) {
          return new Grant.Denied(holder.get().busy(thread));
        }
        if (!sql.dialect().hasLocks()) continue;
        isRepeated = true;
        send();
      }
      throw new SQLException("thread " + thread + " is made and deleted too often");
    }

    /// Returns true if the lease was asked for more than once. What was read along with the first
    /// request may be older than the lease.
    public boolean isRepeated() {
      return isRepeated;
    }

    /// Another process may have reserved its tokens later than this one, which then reserves more.
    private Lease leased(int tried) throws SQLException {
      var tokens = sql.ids().tokens();
      return new Lease(thread, owner, tried == 0 ? tokens.next(sql) : tokens.newest(sql));
    }

    private void send() throws SQLException {
      var process = LocalProcess.own().orElse(null);
      reclaimed = sql.defer(RECLAIM, row -> row.getLong(1), owner, process, micros(time), thread);
      added = sql.defer(ADD, Addition::of, thread, thread, owner, process, micros(time));
    }

    private Optional<Grant> sent() throws SQLException {
      var known = reclaimed.first();
      if (known.isPresent()) return granted(known.get(), false);
      var addition = added.first();
      if (addition.isEmpty()) return Optional.empty();
      if (addition.get().token().isPresent()) return granted(addition.get().token().get(), true);
      // Somebody else added the thread at the same time.
      sql.write("delete from family where id = ?", addition.get().family());
      return Optional.empty();
    }

    private Optional<Grant> granted(long token, boolean isNew) {
      return Optional.of(new Grant.Granted(new Lease(thread, owner, token), isNew));
    }
  }

  /// A family that was added, and the token of the thread that was added to it.
  private record Addition(long family, Optional<Long> token) {
    static Addition of(ResultSet row) throws SQLException {
      return new Addition(row.getLong(1), Digest.read(row, 2));
    }
  }

  /// Acquires the lease with one statement, where nobody else writes. A thread that it adds begins
  /// a family with the lease's token as its key.
  private static Optional<Grant> acquireInOneStatement(Sql sql, Lease lease, Duration time)
      throws SQLException {
    return sql.first(
        AT_ONCE,
        row -> new Grant.Granted(lease, row.getLong(1) == lease.token()),
        lease.thread(),
        lease.token(),
        lease.token(),
        lease.owner(),
        LocalProcess.own().orElse(null),
        micros(time));
  }

  /// Acquires a thread that is still as it was read, and reserves offsets in its journal. The row
  /// is missing if it is not. Only where nobody else writes.
  public static Claim acquireIdle(
      Sql sql, IdleThread idle, Lease lease, Duration time, FirstWrite write) throws SQLException {
    int entries = write instanceof FirstWrite.OfAnswers answers ? answers.journal().size() : 0;
    var process = LocalProcess.own().orElse(null);
    var namespace = write.lineage().namespace();
    long token = lease.token();
    var row =
        idle.token() == 0
            ? sql.defer(
                IDLE_NEW,
                ThreadRow::of,
                lease.thread(),
                token,
                token,
                lease.owner(),
                process,
                micros(time),
                entries,
                namespace)
            : sql.defer(
                IDLE,
                ThreadRow::of,
                token,
                lease.owner(),
                process,
                micros(time),
                entries,
                lease.thread(),
                idle.token(),
                token,
                namespace);
    return new Claim(lease, row);
  }

  public static ThreadBinding binding(Sql sql, String thread) throws SQLException {
    return sql.first(
            "select binding, last_offset = 0"
                + " and not exists (select 1 from lineage where lineage.thread = thread.id)"
                + " from thread where name = ?",
            row -> new ThreadBinding(Optional.ofNullable(row.getString(1)), row.getBoolean(2)),
            thread)
        .orElseGet(() -> new ThreadBinding(Optional.empty(), true));
  }

  /// Keeps what a checkpointer around this one says of a thread.
  ///
  /// @return the thread
  public static long bind(Sql sql, Lease lease, String binding) throws SQLException {
    return sql.first(
            "update thread set binding = ? where name = ? and token = ? and until > 0 returning id",
            row -> row.getLong(1),
            binding,
            lease.thread(),
            lease.token())
        .orElseThrow(() -> new LeaseLost(lease));
  }

  private record Holder(String owner, long until, long token, Optional<String> process) {
    static Holder of(ResultSet row) throws SQLException {
      var process = Optional.ofNullable(row.getString(4));
      return new Holder(row.getString(1), row.getLong(2), row.getLong(3), process);
    }

    ThreadBusy busy(String thread) {
      return new ThreadBusy(thread, owner, instant(until));
    }
  }

  private static Optional<Holder> holder(Sql sql, String thread) throws SQLException {
    return sql.first(
        "select owner, until, token, process from thread where name = ? and until > "
            + sql.dialect().now(),
        Holder::of,
        thread);
  }

  /// Ends a lease whose holder was killed on this machine.
  private static boolean endsWithProcess(Sql sql, String thread, Holder holder)
      throws SQLException {
    boolean isGone = holder.process().map(LocalProcess::isGone).orElse(false);
    if (!isGone) return false;
    sql.update("update thread set until = 0 where name = ? and token = ?", thread, holder.token());
    return true;
  }

  /// Takes the thread from its owner.
  ///
  /// @return false if nobody did
  public static boolean breakLease(Sql sql, String thread) throws SQLException {
    long token =
        sql.dialect().hasLocks()
            ? sql.first(sql.dialect().nextToken(), row -> row.getLong(1)).orElseThrow()
            : sql.ids().tokens().newest(sql);
    int taken =
        sql.update(
            "update thread set token = ?, cancelled = 0 where name = ? and until > 0",
            token,
            thread);
    if (taken > 0) release(sql, new Lease(thread, "", token));
    return taken > 0;
  }

  public static boolean renew(Sql sql, Lease lease, Duration time) throws SQLException {
    return sql.first(
            "update thread set until = "
                + sql.dialect().now()
                + " + ? where name = ? and token = ? and until > 0 returning cancelled",
            row -> row.getInt(1) != 0,
            micros(time),
            lease.thread(),
            lease.token())
        .orElseThrow(() -> new LeaseLost(lease));
  }

  /// The thread's row after its release.
  private record ReleasedThread(long thread, boolean isBare) {}

  public static void release(Sql sql, Lease lease) throws SQLException {
    var left =
        sql.first(
            "update thread set until = 0 where name = ? and token = ? returning id, last_offset = 0"
                + " and not exists (select 1 from lineage where lineage.thread = thread.id)",
            row -> new ReleasedThread(row.getLong(1), row.getBoolean(2)),
            lease.thread(),
            lease.token());
    // A thread of which nothing is kept is not to leave a row for ever.
    if (left.isPresent() && left.get().isBare()) removeIfBare(sql, left.get().thread());
  }

  private static void removeIfBare(Sql sql, long thread) throws SQLException {
    var family =
        sql.first(
            "delete from thread where id = ?"
                + " and not exists (select 1 from lineage where thread = ?) returning family",
            row -> row.getLong(1),
            thread,
            thread);
    if (family.isPresent()) Families.removeIfEmpty(sql, family.get());
  }

  /// Stores a request to cancel for the holder of the newest token. It stays until the lease is
  /// released, since a holder whose lease expired may only be slow.
  public static boolean requestCancel(Sql sql, String thread) throws SQLException {
    return sql.update("update thread set cancelled = 1 where name = ? and until > 0", thread) > 0;
  }

  /// A lease presented to the store. The row says whether it is the newest one.
  public record Claim(Lease lease, PendingResult<ThreadRow> row) {
    /// @throws LeaseLost if the lease is not the newest
    ThreadRow checkedRow() throws SQLException {
      return row.first().orElseThrow(() -> new LeaseLost(lease));
    }
  }

  /// Locks the thread until the transaction ends and reserves offsets in its journal. A write that
  /// is refused afterwards returns them.
  ///
  /// @throws LeaseLost if the lease is not the newest
  public static ThreadRow lock(Sql sql, Lease lease, int entries) throws SQLException {
    return claim(sql, lease, entries).checkedRow();
  }

  /// Pipelined with the next query; call [Claim#checkedRow] before using that query's result.
  static Claim claim(Sql sql, Lease lease, int entries) throws SQLException {
    return claim(sql, lease, entries, Lineage.of(lease.thread()));
  }

  /// Claims the thread for a write to one lineage; pipelined like [#claim(Sql, Lease, int)].
  public static Claim claim(Sql sql, Lease lease, int entries, Lineage lineage)
      throws SQLException {
    if (entries == 0) return select(sql, lease, lineage, sql.dialect().locked());
    return claimOffsets(sql, lease, entries, lineage, "");
  }

  /// Claims the thread for its last write and ends the lease with it.
  public static Claim claimAndRelease(Sql sql, Lease lease, int entries, Lineage lineage)
      throws SQLException {
    return claimOffsets(sql, lease, entries, lineage, ", until = 0");
  }

  private static Claim claimOffsets(Sql sql, Lease lease, int entries, Lineage lineage, String more)
      throws SQLException {
    return new Claim(
        lease,
        sql.defer(
            "update thread set last_offset = last_offset + ?"
                + more
                + " where name = ? and token = ? and until > 0 returning "
                + HELD,
            ThreadRow::of,
            entries,
            lease.thread(),
            lease.token(),
            lineage.namespace()));
  }

  /// Ends the lease that the transaction has locked.
  static void endLease(Sql sql, ThreadRow threadRow) throws SQLException {
    sql.write("update thread set until = 0 where id = ?", threadRow.thread());
  }

  /// Locks the lease in shared mode until the transaction ends, so that several holders of it write
  /// at the same time. Pipelined with the next query; call [Claim#checkedRow] before using that
  /// query's result.
  public static Claim claimShared(Sql sql, Lease lease, Lineage lineage) throws SQLException {
    return select(sql, lease, lineage, sql.dialect().shared());
  }

  private static Claim select(Sql sql, Lease lease, Lineage lineage, String lock)
      throws SQLException {
    return new Claim(
        lease,
        sql.defer(
            "select " + HELD + " from thread where name = ? and token = ? and until > 0" + lock,
            ThreadRow::of,
            lineage.namespace(),
            lease.thread(),
            lease.token()));
  }

  /// Reserves offsets in the journal of a thread whose lease was checked in this transaction, where
  /// nobody else writes.
  static ThreadRow reserve(Sql sql, ThreadRow row, int entries) throws SQLException {
    if (entries == 0) return row;
    sql.update(
        "update thread set last_offset = last_offset + ? where id = ?", entries, row.thread());
    return new ThreadRow(row.thread(), row.family(), row.lastOffset() + entries, row.lineage());
  }

  /// Returns reserved journal offsets when nothing is written.
  ///
  /// @return false
  static boolean returnOffsets(Sql sql, ThreadRow threadRow, int entries) throws SQLException {
    if (sql.dialect().isRemote()) {
      sql.abandon();
    } else if (entries > 0) {
      sql.update(
          "update thread set last_offset = last_offset - ? where id = ?",
          entries,
          threadRow.thread());
    }
    return false;
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static long micros(Duration time) {
    return Math.min(TimeUnit.MICROSECONDS.convert(time), MICROS_MAX);
  }
}
