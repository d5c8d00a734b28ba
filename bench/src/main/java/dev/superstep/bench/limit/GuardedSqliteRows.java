package dev.superstep.bench.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.bench.limit.Rows.Row;
import dev.superstep.bench.measure.Folder;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/// Keeps guarded rows in a SQLite file that survives a killed process, by one connection and
/// prepared statements. One thread at a time.
final class GuardedSqliteRows implements GuardedRows {
  private static final String OWNER = "limit";
  private static final List<String> TABLES =
      List.of(
          "pragma journal_mode = wal",
          "pragma synchronous = normal",
          "create table thread(name text primary key, fence integer not null, owner text,"
              + " until integer not null, head integer not null, question text, answer text)"
              + " without rowid",
          "create table step(thread text not null, step integer not null, next text not null,"
              + " body blob not null, primary key(thread, step))");
  private static final String TAKEN = " where name = ? and fence = ? and head = ?"
      + " and owner is not null";

  private final Clock clock = Clock.systemUTC();
  private final Folder folder;
  private final Connection connection;
  private final PreparedStatement insertThread;
  private final PreparedStatement insertStep;
  private final PreparedStatement move;
  private final PreparedStatement ask;
  private final PreparedStatement answer;
  private final PreparedStatement page;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollback;

  private GuardedSqliteRows(Folder folder, Connection connection) throws SQLException {
    this.folder = folder;
    this.connection = connection;
    try (var statement = connection.createStatement()) {
      for (var table : TABLES) statement.execute(table);
    }
    insertThread =
        connection.prepareStatement(
            "insert into thread(name, fence, owner, until, head) values (?, 1, ?, ?, 0)"
                + " on conflict(name) do nothing");
    insertStep = connection.prepareStatement("insert into step values (?, ?, ?, ?)");
    move =
        connection.prepareStatement(
            "update thread set head = head + 1, owner = case when ? then null else owner end"
                + TAKEN);
    ask =
        connection.prepareStatement(
            "update thread set question = ?, answer = null, owner = null" + TAKEN);
    answer =
        connection.prepareStatement(
            "update thread set fence = fence + 1, owner = ?, until = ?,"
                + " answer = coalesce(answer, ?) where name = ? and question is not null"
                + " and (owner is null or until < ?) returning fence, head,"
                + " (select body from step where thread = name and step = head)");
    page =
        connection.prepareStatement(
            "select * from step where thread = ? and step < ? order by step desc limit ?");
    begin = connection.prepareStatement("begin immediate");
    commit = connection.prepareStatement("commit");
    rollback = connection.prepareStatement("rollback");
  }

  static GuardedSqliteRows fresh() throws IOException, SQLException {
    var folder = Folder.fresh();
    return new GuardedSqliteRows(
        folder, DriverManager.getConnection("jdbc:sqlite:" + folder.file("guarded.db")));
  }

  @Override
  public Held begin(String thread, String next, String body) throws SQLException {
    insertThread.setString(1, thread);
    insertThread.setString(2, OWNER);
    insertThread.setLong(3, clock.millis() + LEASE.toMillis());
    write(thread, insertThread, 0, next, body);
    return new Held(thread, 1, 0, body);
  }

  @Override
  public Held add(Held held, String next, String body) throws SQLException {
    add(held, next, body, false);
    return held.at(held.step() + 1, body);
  }

  @Override
  public void end(Held held, String next, String body) throws SQLException {
    add(held, next, body, true);
  }

  private void add(Held held, String next, String body, boolean isLast) throws SQLException {
    move.setBoolean(1, isLast);
    show(held, move);
    write(held.thread(), move, held.step() + 1, next, body);
  }

  /// The statement on the thread and the new row, in one transaction.
  private void write(String thread, PreparedStatement first, int step, String next, String body)
      throws SQLException {
    begin.executeUpdate();
    boolean isDone = false;
    try {
      if (first.executeUpdate() != 1) throw GuardedRows.refused(thread);
      insertStep.setString(1, thread);
      insertStep.setInt(2, step);
      insertStep.setString(3, next);
      insertStep.setBytes(4, body.getBytes(UTF_8));
      insertStep.executeUpdate();
      commit.executeUpdate();
      isDone = true;
    } finally {
      if (!isDone) rollback.executeUpdate();
    }
  }

  @Override
  public void ask(Held held, String question) throws SQLException {
    ask.setString(1, question);
    show(held, ask);
    if (ask.executeUpdate() != 1) throw GuardedRows.refused(held.thread());
  }

  private static void show(Held held, PreparedStatement statement) throws SQLException {
    statement.setString(2, held.thread());
    statement.setLong(3, held.fence());
    statement.setInt(4, held.step());
  }

  @Override
  public Held answer(String thread, String text) throws SQLException {
    long now = clock.millis();
    answer.setString(1, OWNER);
    answer.setLong(2, now + LEASE.toMillis());
    answer.setString(3, text);
    answer.setString(4, thread);
    answer.setLong(5, now);
    try (var rows = answer.executeQuery()) {
      if (!rows.next()) throw GuardedRows.refused(thread);
      return new Held(
          thread, rows.getLong(1), rows.getInt(2), new String(rows.getBytes(3), UTF_8));
    }
  }

  @Override
  public Row last(String thread) throws SQLException {
    return page(thread, Integer.MAX_VALUE, 1).getFirst();
  }

  @Override
  public List<Row> page(String thread, int before, int limit) throws SQLException {
    page.setString(1, thread);
    page.setInt(2, before);
    page.setInt(3, limit);
    try (var found = page.executeQuery()) {
      var rows = new ArrayList<Row>();
      while (found.next()) {
        var body = new String(found.getBytes(4), UTF_8);
        rows.add(new Row(found.getString(1), found.getInt(2), found.getString(3), body));
      }
      return rows;
    }
  }

  @Override
  public long bytes() throws IOException {
    return folder.bytes();
  }

  @Override
  public void close() throws IOException, SQLException {
    connection.close();
    folder.close();
  }
}
