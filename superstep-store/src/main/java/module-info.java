/// Stores threads and long-term memory in an SQLite file or a PostgreSQL database, so that they
/// survive the process.
///
/// Start at [dev.superstep.store.jdbc.SqliteCheckpointer] and
/// [dev.superstep.store.jdbc.SqliteStore] for programs of one machine, and at
/// [dev.superstep.store.jdbc.PostgresCheckpointer] and [dev.superstep.store.jdbc.PostgresStore] for
/// those of several. What a service keeps is in [dev.superstep.store.jdbc.SqliteServiceStore] and
/// [dev.superstep.store.jdbc.PostgresServiceStore]. The tables are in the scripts of
/// `dev/superstep/store/jdbc/sqlite` and `dev/superstep/store/jdbc/postgres`.
@org.jspecify.annotations.NullMarked
module dev.superstep.store {
  requires transitive dev.superstep.graph;
  requires transitive dev.superstep.service;
  requires com.fasterxml.jackson.annotation;
  requires transitive java.sql;
  requires org.xerial.sqlitejdbc;
  requires tools.jackson.databind;
  // Needed at run time by those who use PostgreSQL.
  requires static flyway.core;
  requires static org.postgresql.jdbc;

  exports dev.superstep.store.jdbc;

  // The part of a checkpoint that is kept as JSON is a hidden record.
  opens dev.superstep.store.jdbc.rows to
      tools.jackson.databind;
}
