package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.SQLException;

/// Counts the commits of a database, in it and in its sidecar file, so that the loss of the newest
/// ones is noticed: SQLite drops the end of a damaged write-ahead log silently. Used by the writer
/// only.
///
/// The count is the one that SQLite keeps for the checkpoints, which a commit of a checkpoint
/// raises anyway: docs/decisions/0061.
final class CommitCounter {
  private static final String COUNT = "select seq from sqlite_sequence where name = 'checkpoint'";
  private static final String NEXT =
      "update sqlite_sequence set seq = seq + 1 where name = 'checkpoint' returning seq";

  private final SidecarFile sidecar;
  private final long database;
  private long known;

  private CommitCounter(SidecarFile sidecar, long database, long known) {
    this.sidecar = sidecar;
    this.database = database;
    this.known = known;
  }

  /// @throws UnreadableData if commits are missing that were made
  static CommitCounter of(Sql sql, SidecarFile sidecar) throws SQLException {
    long database =
        sql.first("select number from identity", row -> row.getLong(1))
            .orElseThrow(() -> UnreadableData.damaged("its identity is missing"));
    // Before the count of the database, which others go on counting.
    long noted = sidecar.newest(database).orElse(0L);
    long count = sql.first(COUNT, row -> row.getLong(1)).orElse(0L);
    var commits = new CommitCounter(sidecar, database, count);
    if (count < noted) throw commits.lost(noted, count);
    return commits;
  }

  /// Counts the transaction that is about to be committed, unless a checkpoint has.
  ///
  /// @throws UnreadableData if earlier ones are missing
  long next(Sql sql) throws SQLException {
    long counted = sql.counted();
    long next = counted > 0 ? counted : sql.first(NEXT, row -> row.getLong(1)).orElse(0L);
    if (next <= known) throw lost(known, next - 1);
    return next;
  }

  /// Records that the transaction was committed.
  void committed(long made) {
    known = made;
    sidecar.note(database, made);
  }

  private UnreadableData lost(long noted, long count) {
    return UnreadableData.damaged(
        "its newest %d commits are missing, as after damage to its write-ahead log (`-wal`) or a"
                .formatted(noted - count)
            + " power loss, or where an older copy was put in its place; delete `"
            + sidecar.name()
            + "` to go on from what is left, which may do work again");
  }
}
