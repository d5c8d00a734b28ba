package dev.superstep.bench.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.superstep.bench.limit.Rows.Row;
import dev.superstep.bench.measure.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Keeps guarded rows in PostgreSQL: each transaction is one statement, and so one round trip. One
/// thread at a time.
final class GuardedPostgresRows implements RowStore {
  private static final String OWNER = "limit";
  private static final String TABLES =
      """
      drop table if exists step;
      drop table if exists thread;
      create table thread(
        name text primary key, fence bigint not null, owner text, until timestamptz not null,
        head integer not null, question text, answer text);
      create table step(
        thread text not null, step integer not null, next text not null, body bytea not null,
        primary key(thread, step));
      """;
  private static final String BEGIN =
      """
      with taken as (
        insert into thread(name, fence, owner, until, head)
          values (?, 1, ?, now() + make_interval(secs => ?), 0)
          on conflict(name) do nothing returning name, fence),
      added as (insert into step select name, 0, ?, ? from taken)
      select fence from taken\
      """;
  private static final String ADD =
      """
      with moved as (
        update thread set head = head + 1, owner = case when ? then null else owner end
          where name = ? and fence = ? and head = ? and owner is not null returning name, head)
      insert into step select name, head, ?, ? from moved\
      """;
  private static final String ASK =
      """
      update thread set question = ?, answer = null, owner = null
        where name = ? and fence = ? and head = ? and owner is not null\
      """;
  private static final String ANSWER =
      """
      with taken as (
        update thread set fence = fence + 1, owner = ?,
            until = now() + make_interval(secs => ?), answer = coalesce(answer, ?)
          where name = ? and question is not null and (owner is null or until < now())
          returning name, fence, head)
      select fence, head, body from taken join step on thread = name and step = head\
      """;
  private static final String PAGE =
      "select * from step where thread = ? and step < ? order by step desc limit ?";

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement add;
  private final PreparedStatement ask;
  private final PreparedStatement answer;
  private final PreparedStatement page;

  private GuardedPostgresRows(Connection connection) throws SQLException {
    this.connection = connection;
    begin = connection.prepareStatement(BEGIN);
    add = connection.prepareStatement(ADD);
    ask = connection.prepareStatement(ASK);
    answer = connection.prepareStatement(ANSWER);
    page = connection.prepareStatement(PAGE);
  }

  /// New tables in the PostgreSQL database of this process.
  static GuardedPostgresRows fresh() throws SQLException {
    var connection = Database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute(TABLES);
    }
    return new GuardedPostgresRows(connection);
  }

  @Override
  public RowStore another() throws SQLException {
    return new GuardedPostgresRows(Database.connect());
  }

  @Override
  public Held begin(String thread, String next, Supplier<String> body) throws SQLException {
    begin.setString(1, thread);
    begin.setString(2, OWNER);
    begin.setLong(3, LEASE.toSeconds());
    begin.setString(4, next);
    var input = body.get();
    begin.setBytes(5, input.getBytes(UTF_8));
    try (var rows = begin.executeQuery()) {
      if (!rows.next()) throw RowStore.refused(thread);
      return new Held(thread, rows.getLong(1), 0, input);
    }
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
    add.setBoolean(1, isLast);
    add.setString(2, held.thread());
    add.setLong(3, held.fence());
    add.setInt(4, held.step());
    add.setString(5, next);
    add.setBytes(6, body.getBytes(UTF_8));
    if (add.executeUpdate() != 1) throw RowStore.refused(held.thread());
  }

  @Override
  public void ask(Held held, String question) throws SQLException {
    ask.setString(1, question);
    ask.setString(2, held.thread());
    ask.setLong(3, held.fence());
    ask.setInt(4, held.step());
    if (ask.executeUpdate() != 1) throw RowStore.refused(held.thread());
  }

  @Override
  public Held answer(String thread, String text) throws SQLException {
    answer.setString(1, OWNER);
    answer.setLong(2, LEASE.toSeconds());
    answer.setString(3, text);
    answer.setString(4, thread);
    try (var rows = answer.executeQuery()) {
      if (!rows.next()) throw RowStore.refused(thread);
      return new Held(thread, rows.getLong(1), rows.getInt(2), new String(rows.getBytes(3), UTF_8));
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
  public long bytes() throws SQLException {
    return Database.bytes();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
