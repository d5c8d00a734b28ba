package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Database;
import dev.superstep.bench.measure.Folder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Keeps rows in a table, by one connection and prepared statements.
final class SqlRows implements Rows {
  private final Connection connection;
  private final Size size;
  private final Closeable place;
  private final PreparedStatement insert;
  private final PreparedStatement last;
  private final PreparedStatement page;

  /// How much is on the disk.
  interface Size {
    long bytes() throws Exception;
  }

  private SqlRows(Connection connection, Size size, Closeable place) throws SQLException {
    this.connection = connection;
    this.size = size;
    this.place = place;
    insert = connection.prepareStatement("insert into step values(?, ?, ?, ?)");
    last =
        connection.prepareStatement(
            "select * from step where thread = ? order by step desc limit 1");
    page =
        connection.prepareStatement(
            "select * from step where thread = ? and step < ? order by step desc limit ?");
  }

  /// @param blob what the database calls bytes
  private static void create(Connection connection, String blob) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("drop table if exists step");
      statement.execute(
          "create table step(thread text not null, step integer not null, next text not null,"
              + " body "
              + blob
              + " not null, primary key(thread, step))");
    }
  }

  /// A new SQLite file that survives a killed process.
  static SqlRows sqlite(Folder folder) throws SQLException {
    var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.file("limit.db"));
    try (var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = normal");
    }
    create(connection, "blob");
    return new SqlRows(connection, folder::bytes, folder);
  }

  /// A new table in the PostgreSQL database of this process.
  static SqlRows postgres() throws SQLException {
    var connection = Database.connect();
    create(connection, "bytea");
    return onPostgres(connection);
  }

  private static SqlRows onPostgres(Connection connection) throws SQLException {
    return new SqlRows(connection, Database::bytes, () -> {});
  }

  /// Rows in PostgreSQL; all threads share one connection to a SQLite file.
  @Override
  public Rows another() throws SQLException {
    return onPostgres(Database.connect());
  }

  @Override
  public void add(Row row) throws SQLException {
    insert.setString(1, row.thread());
    insert.setInt(2, row.step());
    insert.setString(3, row.next());
    insert.setBytes(4, row.body().getBytes(StandardCharsets.UTF_8));
    insert.executeUpdate();
  }

  @Override
  public Row last(String thread) throws SQLException {
    last.setString(1, thread);
    return read(last).getFirst();
  }

  @Override
  public List<Row> page(String thread, int before, int limit) throws SQLException {
    page.setString(1, thread);
    page.setInt(2, before);
    page.setInt(3, limit);
    return read(page);
  }

  @Override
  public long bytes() throws Exception {
    return size.bytes();
  }

  @Override
  public void close() throws IOException, SQLException {
    connection.close();
    place.close();
  }

  private static List<Row> read(PreparedStatement query) throws SQLException {
    try (ResultSet found = query.executeQuery()) {
      var rows = new ArrayList<Row>();
      while (found.next()) {
        var body = new String(found.getBytes(4), StandardCharsets.UTF_8);
        rows.add(new Row(found.getString(1), found.getInt(2), found.getString(3), body));
      }
      return rows;
    }
  }
}
