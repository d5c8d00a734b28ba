package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadBinding;
import dev.superstep.checkpoint.ThreadBusy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Who may write to a thread. Every write begins with [#holding] or [#sharing], in its own
/// transaction.
final class Leases {
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
      where thread.until <= %1$s
      returning family
      """
          .formatted(Dialect.SQLITE.now());
  // A sum with the time of day still fits.
  private static final long MICROS_MAX = Long.MAX_VALUE / 4;

  private Leases() {}

  /// The row of a thread whose newest lease was shown.
  ///
  /// @param lastOffset with the entries that this transaction adds
  /// @param lineage the row of the lineage that was asked for, if it was seen
  record Held(long thread, long family, long lastOffset, Optional<Long> lineage) {
    static Held of(ResultSet row) throws SQLException {
      long lineage = row.getLong(4);
      var seen = row.wasNull() ? Optional.<Long>empty() : Optional.of(lineage);
      return new Held(row.getLong(1), row.getLong(2), row.getLong(3), seen);
    }
  }

  /// A lease, or who has it.
  sealed interface Grant {
    /// It is given.
    ///
    /// @param isNew whether nothing is kept of the thread yet
    record Given(Lease lease, boolean isNew) implements Grant {}

    record Taken(ThreadBusy why) implements Grant {}
  }

  static Grant acquire(Sql sql, String thread, String owner, Duration time) throws SQLException {
    long token = sql.first(sql.dialect().nextToken(), row -> row.getLong(1)).orElseThrow();
    var lease = new Lease(thread, owner, token);
    for (int i = 0; i < TRIES_MAX; i++) {
      var given = sql.dialect().hasLocks() ? apart(sql, lease, time) : atOnce(sql, lease, time);
      if (given.isPresent()) return given.get();
      var holder = holder(sql, thread);
      if (holder.isPresent() && !endsWithProcess(sql, thread, holder.get())) {
        return new Grant.Taken(holder.get().busy(thread));
      }
    }
    throw new SQLException("thread " + thread + " is made and deleted too often");
  }

  private static Optional<Grant> apart(Sql sql, Lease lease, Duration time) throws SQLException {
    if (takeOver(sql, lease, time)) return Optional.of(new Grant.Given(lease, false));
    return add(sql, lease, time) ? Optional.of(new Grant.Given(lease, true)) : Optional.empty();
  }

  /// With one statement, where nobody else writes. A thread that it makes begins a family, which
  /// its token names.
  private static Optional<Grant> atOnce(Sql sql, Lease lease, Duration time) throws SQLException {
    return sql.first(
        AT_ONCE,
        row -> new Grant.Given(lease, row.getLong(1) == lease.token()),
        lease.thread(),
        lease.token(),
        lease.token(),
        lease.owner(),
        LocalProcess.own().orElse(null),
        micros(time));
  }

  static ThreadBinding binding(Sql sql, String thread) throws SQLException {
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
  static long bind(Sql sql, Lease lease, String binding) throws SQLException {
    return sql.first(
            "update thread set binding = ? where name = ? and token = ? returning id",
            row -> row.getLong(1),
            binding,
            lease.thread(),
            lease.token())
        .orElseThrow(() -> new LeaseLost(lease));
  }

  private static boolean takeOver(Sql sql, Lease lease, Duration time) throws SQLException {
    var now = sql.dialect().now();
    return sql.update(
            "update thread set token = ?, owner = ?, process = ?, cancelled = 0, until = "
                + now
                + " + ? where name = ? and until <= "
                + now,
            lease.token(),
            lease.owner(),
            LocalProcess.own().orElse(null),
            micros(time),
            lease.thread())
        > 0;
  }

  private static boolean add(Sql sql, Lease lease, Duration time) throws SQLException {
    var known = sql.first("select 1 from thread where name = ?", r -> 1, lease.thread());
    if (known.isPresent()) return false;
    long family = sql.insert("insert into family default values returning id");
    int added =
        sql.update(
            "insert into thread (name, family, token, owner, process, until, cancelled,"
                + " last_offset) values (?, ?, ?, ?, ?, "
                + sql.dialect().now()
                + " + ?, 0, 0) on conflict do nothing",
            lease.thread(),
            family,
            lease.token(),
            lease.owner(),
            LocalProcess.own().orElse(null),
            micros(time));
    if (added == 0) sql.update("delete from family where id = ?", family);
    return added > 0;
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

  /// Takes the thread from whoever holds it.
  ///
  /// @return false if nobody did
  static boolean breakLease(Sql sql, String thread) throws SQLException {
    long token = sql.first(sql.dialect().nextToken(), row -> row.getLong(1)).orElseThrow();
    int taken =
        sql.update(
            "update thread set token = ?, cancelled = 0 where name = ? and until > 0",
            token,
            thread);
    if (taken > 0) release(sql, new Lease(thread, "", token));
    return taken > 0;
  }

  static boolean renew(Sql sql, Lease lease, Duration time) throws SQLException {
    return sql.first(
            "update thread set until = "
                + sql.dialect().now()
                + " + ? where name = ? and token = ? returning cancelled",
            row -> row.getInt(1) != 0,
            micros(time),
            lease.thread(),
            lease.token())
        .orElseThrow(() -> new LeaseLost(lease));
  }

  /// What is left of a thread after its release.
  private record Left(long thread, boolean isBare) {}

  static boolean release(Sql sql, Lease lease) throws SQLException {
    var left =
        sql.first(
            "update thread set until = 0 where name = ? and token = ? returning id, last_offset = 0"
                + " and not exists (select 1 from lineage where lineage.thread = thread.id)",
            row -> new Left(row.getLong(1), row.getBoolean(2)),
            lease.thread(),
            lease.token());
    if (left.isEmpty()) return false;
    // A thread of which nothing is kept is not to leave a row for ever.
    if (left.get().isBare()) removeIfBare(sql, left.get().thread());
    return true;
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

  /// Asks the holder of the newest token until it gives the thread back: one whose time is over may
  /// only have been slow.
  static boolean requestCancel(Sql sql, String thread) throws SQLException {
    return sql.update("update thread set cancelled = 1 where name = ? and until > 0", thread) > 0;
  }

  /// A lease that is shown to the store; whether it is the newest is known when the row was read.
  record Claim(Lease lease, Later<Held> row) {
    /// @throws LeaseLost if the lease is not the newest
    Held held() throws SQLException {
      return row.first().orElseThrow(() -> new LeaseLost(lease));
    }
  }

  /// Keeps others from writing to the thread until the transaction ends, and takes places in its
  /// journal. One who is refused afterwards gives them back.
  ///
  /// @throws LeaseLost if the lease is not the newest
  static Held hold(Sql sql, Lease lease, int entries) throws SQLException {
    return holding(sql, lease, entries).held();
  }

  /// The same, on one way with the next query. Nothing may be made of that before [Claim#held] is
  /// asked.
  static Claim holding(Sql sql, Lease lease, int entries) throws SQLException {
    return holding(sql, lease, entries, Lineage.of(lease.thread()));
  }

  /// The same for a write to one lineage.
  static Claim holding(Sql sql, Lease lease, int entries, Lineage lineage) throws SQLException {
    if (entries == 0) return found(sql, lease, lineage, sql.dialect().locked());
    return taking(sql, lease, entries, lineage, "");
  }

  /// The same for what is in any case the last write: gives the thread back.
  static Claim givingBack(Sql sql, Lease lease, int entries, Lineage lineage) throws SQLException {
    return taking(sql, lease, entries, lineage, ", until = 0");
  }

  private static Claim taking(Sql sql, Lease lease, int entries, Lineage lineage, String more)
      throws SQLException {
    return new Claim(
        lease,
        sql.later(
            "update thread set last_offset = last_offset + ?"
                + more
                + " where name = ? and token = ? returning "
                + HELD,
            Held::of,
            entries,
            lease.thread(),
            lease.token(),
            lineage.namespace()));
  }

  /// Gives the thread back that the transaction holds.
  static void giveBack(Sql sql, Held held) throws SQLException {
    sql.write("update thread set until = 0 where id = ?", held.thread());
  }

  /// Keeps the lease what it is until the transaction ends; others who share it write at the same
  /// time. On one way with the next query, of which nothing may be made before [Claim#held] is
  /// asked.
  static Claim sharing(Sql sql, Lease lease, Lineage lineage) throws SQLException {
    return found(sql, lease, lineage, sql.dialect().shared());
  }

  private static Claim found(Sql sql, Lease lease, Lineage lineage, String lock)
      throws SQLException {
    return new Claim(
        lease,
        sql.later(
            "select " + HELD + " from thread where name = ? and token = ?" + lock,
            Held::of,
            lineage.namespace(),
            lease.thread(),
            lease.token()));
  }

  /// Gives places in the journal back, when nothing is written after all.
  ///
  /// @return false
  static boolean refuse(Sql sql, Held held, int entries) throws SQLException {
    if (entries > 0) {
      sql.update(
          "update thread set last_offset = last_offset - ? where id = ?", entries, held.thread());
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
