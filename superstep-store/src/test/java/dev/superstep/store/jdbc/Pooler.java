package dev.superstep.store.jdbc;

import dev.superstep.test.postgres.PgBouncer;
import dev.superstep.test.postgres.PostgresServer;
import org.opentest4j.TestAbortedException;

/// The PgBouncer before the shared server. One for all tests.
public final class Pooler {
  private static final PgBouncer SHARED =
      PgBouncer.program().isEmpty() ? null : PgBouncer.before(PostgresServer.shared());

  private Pooler() {}

  /// @throws TestAbortedException if this machine has none, which skips the test
  public static PgBouncer orSkip() {
    if (SHARED != null) return SHARED;
    var why = "skipped: there is no PgBouncer here (Debian: apt-get install pgbouncer)";
    System.out.println(why);
    throw new TestAbortedException(why);
  }
}
