/// Keeps runs in an SQLite file, so that they survive the process.
///
/// Start at [dev.superstep.store.jdbc.SqliteCheckpointer]; the tables are in
/// `dev/superstep/store/jdbc/001-checkpoints.sql` and the scripts after it.
@org.jspecify.annotations.NullMarked
module dev.superstep.store {
  requires transitive dev.superstep.graph;
  requires java.sql;
  requires org.xerial.sqlitejdbc;

  exports dev.superstep.store.jdbc;

  // The part of a checkpoint that is kept as JSON is a hidden record.
  opens dev.superstep.store.jdbc to
      tools.jackson.databind;
}
