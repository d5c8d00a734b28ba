package dev.superstep.retrieval.pgvector;

import dev.superstep.test.postgres.Pgvector;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import org.opentest4j.TestAbortedException;

/// Databases of a real PostgreSQL that has pgvector.
final class PgvectorDatabases {
  private PgvectorDatabases() {}

  /// @throws TestAbortedException if this machine has none, which skips the test
  static PostgresDatabase freshOrSkip() {
    if (Pgvector.archive().isPresent()) return PostgresServer.sharedWithPgvector().freshDatabase();
    var why = "skipped: there is no PostgreSQL with pgvector here (run .ci/pgvector)";
    System.out.println(why);
    throw new TestAbortedException(why);
  }
}
