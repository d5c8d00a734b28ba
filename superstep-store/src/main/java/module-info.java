/// Keeps runs, and what is remembered beyond them, so that they survive the process.
///
/// Start at [dev.superstep.store.jdbc.SqliteCheckpointer] for runs, and at
/// [dev.superstep.store.jdbc.SqliteStore] or [dev.superstep.store.jdbc.PostgresStore] for memory;
/// the tables are in `dev/superstep/store/jdbc/001-checkpoints.sql` and the scripts after it.
@org.jspecify.annotations.NullMarked
module dev.superstep.store {
  requires transitive dev.superstep.graph;
  requires transitive java.sql;
  requires flyway.core;
  requires org.xerial.sqlitejdbc;

  exports dev.superstep.store.jdbc;

  // The part of a checkpoint that is kept as JSON is a hidden record.
  opens dev.superstep.store.jdbc to
      tools.jackson.databind;
}
