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

  /// @param blob what the database calls bytes
  private SqlRows(Connection connection, String table, String blob, Size size, Closeable place)
      throws SQLException {
    this.connection = connection;
    this.size = size;
    this.place = place;
    try (var statement = connection.createStatement()) {
      statement.execute("drop table if exists " + table);
      statement.execute(
          "create table "
              + table
              + "(thread text not null, step integer not null, next text not null,"
              + " body "
              + blob
              + " not null, primary key(thread, step))");
    }
    insert = connection.prepareStatement("insert into " + table + " values(?, ?, ?, ?)");
    last =
        connection.prepareStatement(
            "select * from " + table + " where thread = ? order by step desc limit 1");
    page =
        connection.prepareStatement(
            "select * from " + table + " where thread = ? and step < ? order by step desc limit ?");
  }

  /// A new SQLite file that survives a killed process.
  static SqlRows sqlite(Folder folder) throws SQLException {
    var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.file("limit.db"));
    try (var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = normal");
    }
    return new SqlRows(connection, "step", "blob", folder::bytes, folder);
  }

  /// A new table in the PostgreSQL database of this process.
  static SqlRows postgres(String table) throws SQLException {
    return new SqlRows(Database.connect(), table, "bytea", Database::bytes, () -> {});
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
