package dev.superstep.store.jdbc;

import java.sql.SQLException;

/// Counts the commits of a database, in it and beside it, so that the loss of the last ones is
/// noticed: SQLite drops the end of a damaged write-ahead log without a word. For who writes.
///
/// The count is the one that SQLite keeps for the checkpoints, which a commit of a checkpoint
/// raises anyway: docs/decisions/0061.
final class NewestCommit {
  private static final String COUNT = "select seq from sqlite_sequence where name = 'checkpoint'";
  private static final String NEXT =
      "update sqlite_sequence set seq = seq + 1 where name = 'checkpoint' returning seq";

  private final BesideFile beside;
  private final long database;
  private long known;

  private NewestCommit(BesideFile beside, long database, long known) {
    this.beside = beside;
    this.database = database;
    this.known = known;
  }

  /// @throws Unreadable if commits are missing that were made
  static NewestCommit of(Sql sql, BesideFile beside) throws SQLException {
    long database =
        sql.first("select number from identity", row -> row.getLong(1))
            .orElseThrow(() -> Unreadable.damaged("its identity is missing"));
    // Before the count of the database, which others go on counting.
    long noted = beside.newest(database).orElse(0L);
    long count = sql.first(COUNT, row -> row.getLong(1)).orElse(0L);
    var commits = new NewestCommit(beside, database, count);
    if (count < noted) throw commits.lost(noted, count);
    return commits;
  }

  /// Counts the transaction that is about to be committed.
  ///
  /// @throws Unreadable if earlier ones are missing
  long next(Sql sql) throws SQLException {
    long next = sql.first(NEXT, row -> row.getLong(1)).orElse(0L);
    if (next <= known) throw lost(known, next - 1);
    return next;
  }

  /// It is in the database.
  void committed(long made) {
    known = made;
    beside.note(database, made);
  }

  private Unreadable lost(long noted, long count) {
    return Unreadable.damaged(
        "its newest %d commits are missing, as after damage to its write-ahead log (`-wal`) or a"
                .formatted(noted - count)
            + " power loss, or where an older copy was put in its place; delete `"
            + beside.name()
            + "` to go on from what is left, which may do work again");
  }
}
