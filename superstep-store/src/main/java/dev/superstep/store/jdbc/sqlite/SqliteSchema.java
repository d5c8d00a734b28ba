package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.zip.CRC32;

/// Migrates the schema of a database to the version that this program needs. Scripts run in order,
/// each once, and are never changed after a release. Why this is not done by a library:
/// docs/decisions/0006. For one thread.
final class SqliteSchema {
  // The n-th makes version n.
  private static final List<String> SCRIPTS =
      List.of(
          "001-checkpoints.sql",
          "002-items.sql",
          "003-newest.sql",
          "004-small.sql",
          "005-format2.sql",
          "006-service.sql");
  // Marks the file as ours: "SSTP".
  private static final int APPLICATION = 0x53535450;

  private final Sql sql;

  SqliteSchema(Sql sql) {
    this.sql = sql;
  }

  /// Checks that the database belongs to Superstep and is not of a newer version.
  void checkOwner() throws SQLException {
    // In this order: another process may make the schema, and the mark with it, in between.
    var isEmpty = number("select count(*) from sqlite_schema") == 0;
    if (!isEmpty && number("pragma application_id") != APPLICATION) {
      throw new UnreadableData("it is a database of another program; choose another file");
    }
    var version = number("pragma user_version");
    if (version > SCRIPTS.size()) {
      throw new UnreadableData(
          "its schema has version %d and this program knows %d; use a newer Superstep"
              .formatted(version, SCRIPTS.size()));
    }
  }

  void run() throws SQLException {
    if (number("pragma user_version") < SCRIPTS.size()) {
      sql.script("begin immediate");
      try {
        // Again, now that nobody else can change it.
        checkOwner();
        for (var n = number("pragma user_version"); n < SCRIPTS.size(); n++) apply((int) n);
        sql.script("commit");
      } catch (SQLException | RuntimeException e) {
        rollBack(e);
        throw e;
      }
    }
    checkScripts();
  }

  /// SQLite may have rolled back by itself, as on a full disk; that must not hide why.
  private void rollBack(Exception why) {
    try {
      sql.script("rollback");
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  private void apply(int index) throws SQLException {
    var script = text(SCRIPTS.get(index));
    if (index == 0) {
      sql.script(
          "create table migration (version integer primary key, checksum integer not null) strict;"
              + " pragma application_id="
              + APPLICATION);
    }
    sql.script(script);
    sql.update("insert into migration (version, checksum) values (?, ?)", index + 1, crc(script));
    sql.script("pragma user_version=" + (index + 1));
  }

  private void checkScripts() throws SQLException {
    var found = sql.all("select checksum from migration order by version", r -> r.getLong(1));
    var known = SCRIPTS.stream().map(name -> crc(text(name))).toList();
    if (!found.equals(known)) {
      throw new UnreadableData("its schema was made by other scripts than those of this program");
    }
  }

  private long number(String query) throws SQLException {
    return sql.first(query, row -> row.getLong(1)).orElse(0L);
  }

  private static long crc(String script) {
    var crc = new CRC32();
    crc.update(script.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  private static String text(String name) {
    try (var in = SqliteSchema.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException("resource `" + name + "` is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
