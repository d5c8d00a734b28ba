package dev.superstep.store.jdbc.sql;

import java.sql.SQLException;

/// The fencing numbers of leases that this process has reserved, so that a lease need not write the
/// row that counts them. Numbers that are not used are gaps. Safe for many threads.
public final class TokenBlock {
  private static final int BLOCK = 64;
  private static final String RESERVE = "update token set last = last + ? returning last";

  private long next;
  private long end;

  /// Returns a number that was never returned before, in whatever process.
  public long next(Sql sql) throws SQLException {
    synchronized (this) {
      if (next < end) return next++;
    }
    return reserve(sql);
  }

  /// Returns a number that was never returned before and is larger than `other`, which another
  /// process may have reserved after the block of this one.
  public long after(Sql sql, long other) throws SQLException {
    long token = next(sql);
    return token > other ? token : newest(sql);
  }

  /// Returns a number that is larger than all that other processes have reserved.
  public long newest(Sql sql) throws SQLException {
    synchronized (this) {
      end = next;
    }
    return reserve(sql);
  }

  private long reserve(Sql sql) throws SQLException {
    long last = sql.first(RESERVE, row -> row.getLong(1), BLOCK).orElseThrow();
    // Not before it is committed: what is rolled back is reserved by others again.
    sql.afterCommit(() -> keep(last - BLOCK + 2, last + 1));
    return last - BLOCK + 1;
  }

  private synchronized void keep(long from, long to) {
    // Of several in one transaction, the last.
    next = from;
    end = to;
  }
}
