package dev.superstep.retrieval.pgvector;

import dev.superstep.retrieval.vector.IndexFailed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The extension `vector` of a database, which is created where that is allowed.
final class PgvectorExtension {
  // The first one that goes on searching when a filter leaves too few of what it found.
  private static final int MAJOR_LEAST = 0;
  private static final int MINOR_LEAST = 8;
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final String INSTALL =
      "Install pgvector 0.8 or newer on the server, then run `create extension vector` in the"
          + " database.";

  private record State(
      @Nullable String installed, @Nullable String available, boolean isOnSearchPath) {}

  private PgvectorExtension() {}

  /// @throws IndexFailed if it cannot be used here
  static void require(Connection connection, String name) throws SQLException {
    var state = read(connection);
    if (state.installed() == null) {
      if (state.available() == null) {
        throw new IndexFailed(name, "the server has no extension `vector`", INSTALL, null);
      }
      create(connection, name);
      state = read(connection);
    }
    var version = "" + state.installed();
    var parts = VERSION.matcher(version);
    if (parts.matches() && isTooOld(parts.group(1), parts.group(2))) {
      throw new IndexFailed(
          name,
          "the extension `vector` of the database is " + version,
          "Install pgvector 0.8 or newer, then run `alter extension vector update`.",
          null);
    }
    if (!state.isOnSearchPath()) {
      throw new IndexFailed(
          name,
          "the extension `vector` is in a schema that is not on the search path",
          "Add its schema to `search_path` of the role or the connection.",
          null);
    }
  }

  private static boolean isTooOld(String major, String minor) {
    return Integer.parseInt(major) == MAJOR_LEAST && Integer.parseInt(minor) < MINOR_LEAST;
  }

  private static void create(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("create extension if not exists vector");
    } catch (SQLException e) {
      throw new IndexFailed(
          name,
          "the database has no extension `vector`, and this role may not create it",
          "Have an administrator run `create extension vector` in the database.",
          e);
    }
  }

  private static State read(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                select (select extversion from pg_extension where extname = 'vector'),
                  (select default_version from pg_available_extensions where name = 'vector'),
                  to_regtype('vector') is not null\
                """)) {
      rows.next();
      return new State(rows.getString(1), rows.getString(2), rows.getBoolean(3));
    }
  }
}
