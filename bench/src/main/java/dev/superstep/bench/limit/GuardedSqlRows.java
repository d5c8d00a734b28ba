package dev.superstep.bench.limit;

import dev.superstep.bench.limit.Rows.Row;
import dev.superstep.bench.measure.Folder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Keeps rows in a SQLite file with the guarantees of Superstep's own store, in the fewest
/// statements: a lease with a fencing number, a compare-and-set on the newest row of a thread, a
/// digest of each row and of which one is the newest, the whole history, and a count of the commits
/// in a file beside the database. One thread at a time.
final class GuardedSqlRows implements RowStore {
  private static final String SCHEMA =
      """
      create table thread (
        name text primary key, token integer not null, owner text not null,
        until integer not null, head integer not null, digest integer not null
      ) strict, without rowid;
      create table step (
        id integer primary key, thread text not null, step integer not null,
        next text not null, body text not null, digest integer not null,
        unique (thread, step)
      ) strict;
      create table commits (last integer not null) strict;
      insert into commits values (0);
      """;
  private static final String NOW = "cast(unixepoch('subsec') * 1000000 as integer)";
  private static final long LEASE_MICROS = TimeUnit.NANOSECONDS.toMicros(LEASE.toNanos());
  private static final String GIVE_BACK = ", until = 0";
  private static final int NOTE_BYTES = 16;

  private final Connection connection;
  private final Folder folder;
  private final Path file;
  private final Object key;
  private final RandomAccessFile notes;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private long tokens = System.nanoTime();

  private GuardedSqlRows(Connection connection, Folder folder, Path file)
      throws IOException, SQLException {
    this.connection = connection;
    this.folder = folder;
    this.file = file;
    this.key = key();
    this.notes = new RandomAccessFile(folder.file("limit.db-newest").toFile(), "rw");
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(SCHEMA);
    }
  }

  /// A new SQLite file that survives a killed process.
  static GuardedSqlRows sqlite(Folder folder) throws IOException, SQLException {
    var file = folder.file("limit.db");
    var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (var statement = connection.createStatement()) {
      statement.execute("pragma page_size = 1024");
      statement.execute("pragma auto_vacuum = incremental");
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = normal");
      statement.execute("pragma wal_autocheckpoint = 4000");
    }
    return new GuardedSqlRows(connection, folder, file);
  }

  /// The work of one transaction.
  private interface Body<T> {
    T run() throws SQLException;
  }

  private <T> T inTransaction(Body<T> body) throws SQLException {
    update("begin immediate");
    try {
      var result = body.run();
      long made = number("", "update commits set last = last + 1 returning last");
      if (!key().equals(key)) throw new SQLException("another file is at the path");
      update("commit");
      note(made);
      return result;
    } catch (SQLException | RuntimeException e) {
      update("rollback");
      throw e;
    }
  }

  @Override
  public Held begin(String thread, String next, Supplier<String> body) throws SQLException {
    return inTransaction(() -> {
      var held = new Held(thread, taken(thread), -1, "");
      return insert(held, next, body.get(), "");
    });
  }

  @Override
  public Held add(Held held, String next, String body) throws SQLException {
    return inTransaction(() -> insert(held, next, body, ""));
  }

  @Override
  public void end(Held held, String next, String body) throws SQLException {
    inTransaction(() -> insert(held, next, body, GIVE_BACK));
  }

  /// A question and an answer are rows of their own, which repeat what stands before them.
  @Override
  public void ask(Held held, String question) throws SQLException {
    inTransaction(() -> insert(held, "ask " + question, held.body(), GIVE_BACK));
  }

  @Override
  public Held answer(String thread, String answer) throws SQLException {
    return inTransaction(() -> {
      long token = taken(thread);
      var newest = last(thread);
      var held = new Held(thread, token, newest.step(), newest.body());
      return insert(held, "answer " + answer, newest.body(), "");
    });
  }

  private long taken(String thread) throws SQLException {
    return number(
        thread,
        "insert into thread values (?, ?, ?, "
            + NOW
            + " + ?, -1, 0) on conflict (name) do update set token = excluded.token,"
            + " owner = excluded.owner, until = excluded.until where until <= "
            + NOW
            + " returning token",
        thread,
        ++tokens,
        "the limit",
        LEASE_MICROS);
  }

  private Held insert(Held held, String next, String body, String more) throws SQLException {
    var row = new Row(held.thread(), held.step() + 1, next, body);
    number(
        held.thread(),
        "update thread set head = ?, digest = ?"
            + more
            + " where name = ? and token = ? and head = ? and until > 0 returning token",
        row.step(),
        digest("newest", row.thread(), row.step(), "", ""),
        row.thread(),
        held.fence(),
        held.step());
    update(
        "insert into step (thread, step, next, body, digest) values (?, ?, ?, ?, ?)",
        row.thread(),
        row.step(),
        row.next(),
        row.body(),
        digest(row));
    return held.at(row.step(), body);
  }

  @Override
  public Row last(String thread) throws SQLException {
    return read(
            "select s.thread, s.step, s.next, s.body, s.digest, t.digest from thread t"
                + " join step s on s.thread = t.name and s.step = t.head where t.name = ?",
            true,
            thread)
        .getFirst();
  }

  @Override
  public List<Row> page(String thread, int before, int limit) throws SQLException {
    return read(
        "select thread, step, next, body, digest, 0 from step where thread = ? and step < ?"
            + " order by step desc limit ?",
        false,
        thread,
        before,
        limit);
  }

  private List<Row> read(String query, boolean isNewest, Object... arguments) throws SQLException {
    try (ResultSet found = bound(query, arguments).executeQuery()) {
      var rows = new ArrayList<Row>();
      while (found.next()) {
        var row =
            new Row(found.getString(1), found.getInt(2), found.getString(3), found.getString(4));
        check(found.getLong(5), digest(row));
        long newest = digest("newest", row.thread(), row.step(), "", "");
        if (isNewest) check(found.getLong(6), newest);
        rows.add(row);
      }
      return rows;
    }
  }

  private static void check(long kept, long expected) throws SQLException {
    if (kept != expected) throw new SQLException("a row differs from what was written");
  }

  private static long digest(Row row) {
    return digest("step", row.thread(), row.step(), row.next(), row.body());
  }

  private static long digest(String kind, String thread, int step, String next, String body) {
    var text = kind + '\0' + thread + '\0' + step + '\0' + next + '\0' + body;
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var first = new CRC32C();
    first.update(bytes);
    var second = new CRC32();
    second.update(bytes);
    return first.getValue() << Integer.SIZE | second.getValue();
  }

  /// Runs a statement that returns a number, and fails if it changed or found nothing.
  private long number(String thread, String statement, @Nullable Object... arguments)
      throws SQLException {
    try (var rows = bound(statement, arguments).executeQuery()) {
      if (!rows.next()) throw RowStore.refused(thread);
      return rows.getLong(1);
    }
  }

  private void update(String statement, @Nullable Object... arguments) throws SQLException {
    bound(statement, arguments).executeUpdate();
  }

  private PreparedStatement bound(String text, @Nullable Object... arguments) throws SQLException {
    var statement = prepared.get(text);
    if (statement == null) {
      statement = connection.prepareStatement(text);
      prepared.put(text, statement);
    }
    int place = 1;
    for (var argument : arguments) statement.setObject(place++, argument);
    return statement;
  }

  private Object key() {
    try {
      return Objects.requireNonNull(
          Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void note(long made) {
    var bytes = ByteBuffer.allocate(NOTE_BYTES);
    bytes.putLong(made).putLong(digest("commits", "", 0, "", Long.toString(made)));
    try {
      notes.seek(0);
      notes.write(bytes.array());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public RowStore another() {
    throw new UnsupportedOperationException("all threads share one connection to a file");
  }

  @Override
  public long bytes() throws Exception {
    return folder.bytes();
  }

  @Override
  public void close() throws IOException, SQLException {
    connection.close();
    notes.close();
    folder.close();
  }
}
