package dev.superstep.store.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// A connection with its prepared statements. For one thread at a time.
///
/// A round trip to a server takes longer than most statements take there, so a statement whose
/// result nobody needs yet is sent with the next statement or with the commit. The server still
/// runs the statements in order, each on the state that the one before it left.
public final class Sql implements AutoCloseable {
  private static final int PREPARED_MAX = 200;
  private static final int FETCHED = 500;
  private static final int KEPT_MAX = 4_096;
  // More rows than that are no burden for a way of their own.
  private static final int QUEUED_MAX = 100;
  private static final String ROW = "values (";

  private final Connection connection;
  private final Dialect dialect;
  private final RowIds ids;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final List<Queued> queue = new ArrayList<>();
  private long counted;
  private boolean isLast;
  private boolean isAbandoned;
  private boolean isCommitSent;

  public Sql(Connection connection, Dialect dialect, RowIds ids) {
    this.connection = connection;
    this.dialect = dialect;
    this.ids = ids;
  }

  /// Queues the settings of the transaction that begins, to be sent with its first statement.
  ///
  /// @param see looks at the row of a setting that returns one
  public Sql withSettings(List<String> first, RowHandler see) {
    for (var setting : first) {
      var result =
          new PendingResult<>(
              this,
              row -> {
                see.row(row);
                return 1;
              });
      queue.add(new Queued(setting, List.of(), result));
    }
    return this;
  }

  /// A statement that waits for another one to be sent with.
  private record Queued(
      String statement, List<? extends @Nullable Object> arguments, PendingResult<?> result) {}

  /// Makes a value of the current row.
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// Looks at the current row.
  public interface RowHandler {
    void row(ResultSet row) throws SQLException;
  }

  public Dialect dialect() {
    return dialect;
  }

  public RowIds ids() {
    return ids;
  }

  /// Runs an action when the transaction is committed, and never if it is rolled back.
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  public void committed() {
    afterCommit.forEach(Runnable::run);
    afterCommit.clear();
    counted = 0;
  }

  public void rolledBack() {
    afterCommit.clear();
    counted = 0;
  }

  /// Notes the count of commits that the transaction has raised already, by adding a checkpoint.
  public void markCounted(long count) {
    counted = count;
  }

  /// Returns the last count that was noted in this transaction, or 0.
  public long counted() {
    return counted;
  }

  /// Runs an operation of which nothing stays in the transaction if it fails.
  ///
  /// @return why it failed, or null
  /// @throws SQLException if the transaction itself is gone, as after grave errors of the database
  public @Nullable Throwable attempt(Operation<?> operation) throws SQLException {
    int before = afterCommit.size();
    long countedBefore = counted;
    update("savepoint one");
    Throwable failure = null;
    try {
      operation.run(this);
    } catch (Throwable e) { // An Error, too, is of this operation only.
      failure = e;
      counted = countedBefore;
      afterCommit.subList(before, afterCommit.size()).clear();
      update("rollback to one");
    }
    update("release one");
    return failure;
  }

  /// Announces that the next statement whose result is needed is the last one of the transaction,
  /// so that a server commits with it. After that, nothing may be sent.
  public void expectCommit() {
    isLast = dialect.isRemote();
  }

  /// Has the transaction rolled back when the operation returns.
  public void abandon() {
    isAbandoned = true;
  }

  /// Commits, together with what waits, or rolls back if the transaction was abandoned.
  public void commit() throws SQLException {
    if (isCommitSent) return;
    if (isAbandoned) {
      connection.rollback();
      rolledBack();
      return;
    }
    if (queue.isEmpty()) {
      isCommitSent = true;
      connection.commit();
    } else {
      expectCommit();
      flush();
    }
  }

  /// Returns true if the transaction may have been committed.
  public boolean isCommitSent() {
    return isCommitSent;
  }

  /// Runs any number of statements, without parameters and without results.
  public void script(String statements) throws SQLException {
    flush();
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
  }

  /// Runs one statement.
  ///
  /// @return how many rows it changed
  public int update(String statement, @Nullable Object... arguments) throws SQLException {
    return run(statement, Arrays.asList(arguments), this::changed);
  }

  /// Runs a statement at the latest with the next statement whose result is needed, or with the
  /// commit.
  public void write(String statement, @Nullable Object... arguments) throws SQLException {
    if (dialect.isRemote()) defer(statement, _ -> 1, arguments);
    else update(statement, arguments);
  }

  /// Runs a statement as [#write] does.
  ///
  /// @return true if it changed a row, false if it did not or that is not known yet
  public boolean tryWrite(String statement, List<?> arguments) throws SQLException {
    if (!dialect.isRemote()) return update(statement, arguments.toArray()) > 0;
    write(statement, arguments.toArray());
    return false;
  }

  /// Queues a query, or a statement that returns rows, until its result is needed. A statement runs
  /// in any case.
  public <T> PendingResult<T> defer(String query, RowReader<T> read, @Nullable Object... arguments)
      throws SQLException {
    var result = new PendingResult<>(this, read);
    if (queue.size() == QUEUED_MAX) flush();
    if (dialect.isRemote()) queue.add(new Queued(query, Arrays.asList(arguments), result));
    else result.resolve(all(query, read, arguments));
    return result;
  }

  /// Queues a query whose result may turn out not to be needed. Where that would save no way, it is
  /// run only when it is needed.
  public <T> PendingResult<T> prefetch(
      String query, RowReader<T> read, @Nullable Object... arguments) throws SQLException {
    if (dialect.isRemote()) return defer(query, read, arguments);
    return new PendingResult<>(this, read).of(() -> all(query, read, arguments));
  }

  /// Runs one statement for each list of arguments; when, is said at [#write].
  public void batch(
      String statement, Collection<? extends List<? extends @Nullable Object>> arguments)
      throws SQLException {
    if (arguments.isEmpty()) return;
    if (dialect.isRemote() && queue.size() + arguments.size() <= QUEUED_MAX) {
      if (isInsertOnly(statement)) writeAll(statement, arguments);
      else for (var one : arguments) write(statement, one.toArray());
      return;
    }
    flush();
    run(
        statement,
        List.of(),
        bound -> {
          for (var one : arguments) {
            bind(bound, one);
            bound.addBatch();
          }
          var changed = bound.executeBatch();
          // The last row; no query is planned anew for it, because what is batched only writes.
          bound.clearParameters();
          return changed;
        });
  }

  /// Returns true if several rows can be written at once, because none can be written twice.
  private static boolean isInsertOnly(String statement) {
    return statement.contains(ROW) && !statement.contains("do update");
  }

  private void writeAll(
      String statement, Collection<? extends List<? extends @Nullable Object>> arguments)
      throws SQLException {
    int from = statement.indexOf(ROW) + ROW.length() - 1;
    int to = statement.indexOf(')', from) + 1;
    var row = statement.substring(from, to);
    var rows = String.join(", ", Collections.nCopies(arguments.size(), row));
    var all = new ArrayList<@Nullable Object>();
    arguments.forEach(all::addAll);
    write(statement.substring(0, from) + rows + statement.substring(to), all.toArray());
  }

  /// Sends what waits.
  public void flush() throws SQLException {
    if (queue.isEmpty()) return;
    run(
        "",
        List.of(),
        bound -> {
          runQueued(bound);
          return true;
        });
  }

  /// Inserts a row with a statement that ends in `returning id`.
  public long insert(String statement, @Nullable Object... arguments) throws SQLException {
    return first(statement, row -> row.getLong(1), arguments).orElseThrow();
  }

  public <T> Optional<T> first(String query, RowReader<T> read, @Nullable Object... arguments)
      throws SQLException {
    return all(query, read, arguments).stream().findFirst();
  }

  public <T> List<T> all(String query, RowReader<T> read, @Nullable Object... arguments)
      throws SQLException {
    return run(query, Arrays.asList(arguments), bound -> rows(bound, read));
  }

  /// Shows each row without holding them all.
  public void each(String query, RowHandler see, @Nullable Object... arguments)
      throws SQLException {
    // On a way of their own: PostgreSQL gives rows piece by piece to a query that is sent alone.
    flush();
    run(
        query,
        Arrays.asList(arguments),
        bound -> {
          bound.setFetchSize(FETCHED);
          try (var rows = bound.executeQuery()) {
            while (rows.next()) see.row(rows);
          }
          return true;
        });
  }

  /// A look at a row that can be the last one.
  public interface RowTest {
    /// Returns whether further rows are wanted.
    boolean row(ResultSet row) throws SQLException;
  }

  /// Shows rows one by one as long as they are wanted.
  public void eachWhile(String query, RowTest see, List<?> arguments) throws SQLException {
    flush();
    run(
        query,
        arguments,
        bound -> {
          bound.setFetchSize(FETCHED);
          try (var rows = bound.executeQuery()) {
            boolean isWanted = true;
            while (isWanted && rows.next()) isWanted = see.row(rows);
          }
          return true;
        });
  }

  /// `(?, ?, ?)`, for so many.
  public static String places(int many) {
    return "(" + String.join(", ", Collections.nCopies(many, "?")) + ")";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  /// Runs a statement after those that wait; all are sent together.
  private <T> T run(String statementText, List<? extends @Nullable Object> arguments, Use<T> use)
      throws SQLException {
    if (isCommitSent) throw new IllegalStateException("the transaction has ended");
    var text = queue.isEmpty() && !isLast ? statementText : joined(statementText);
    var statement = prepared(text);
    try {
      bind(statement, arguments);
      isCommitSent = isLast;
      var result = use.of(statement);
      if (dialect.isRemote() || isLarge(arguments)) statement.clearParameters();
      return result;
    } catch (SQLException | RuntimeException e) {
      // The driver ends a statement that failed, so it must not be used again.
      prepared.remove(text);
      try (statement) {
        throw e;
      }
    }
  }

  /// Returns true if a statement should not keep its arguments until its next use. SQLite plans a
  /// query again once its parameters were cleared, which takes ten times as long as most queries.
  private static boolean isLarge(List<? extends @Nullable Object> arguments) {
    for (var argument : arguments) {
      if (argument instanceof String text && text.length() > KEPT_MAX) return true;
    }
    return false;
  }

  /// The text of all that is sent together.
  private String joined(String statement) {
    var texts = new StringJoiner("; ");
    for (var one : queue) texts.add(one.statement().strip());
    if (!statement.isEmpty()) texts.add(statement.strip());
    if (isLast) texts.add("commit");
    return texts.toString();
  }

  private PreparedStatement prepared(String text) throws SQLException {
    var known = prepared.get(text);
    if (known != null) return known;
    if (prepared.size() == PREPARED_MAX) {
      // The one that was not used for longest.
      var oldest = prepared.entrySet().iterator();
      oldest.next().getValue().close();
      oldest.remove();
    }
    var statement = connection.prepareStatement(text);
    prepared.put(text, statement);
    return statement;
  }

  private void bind(PreparedStatement statement, List<? extends @Nullable Object> arguments)
      throws SQLException {
    int place = 1;
    for (var one : queue) {
      for (var argument : one.arguments()) statement.setObject(place++, argument);
    }
    for (var argument : arguments) statement.setObject(place++, argument);
  }

  private int changed(PreparedStatement statement) throws SQLException {
    if (queue.isEmpty() && !isLast) return statement.executeUpdate();
    runQueued(statement);
    return statement.getUpdateCount();
  }

  private <T> List<T> rows(PreparedStatement statement, RowReader<T> read) throws SQLException {
    try (var rows = query(statement)) {
      var result = new ArrayList<T>();
      while (rows.next()) result.add(read.read(rows));
      return result;
    }
  }

  private ResultSet query(PreparedStatement statement) throws SQLException {
    if (queue.isEmpty() && !isLast) return statement.executeQuery();
    runQueued(statement);
    return statement.getResultSet();
  }

  /// Each statement has a result of its own, if only that it changed nothing.
  private void runQueued(PreparedStatement statement) throws SQLException {
    var waiting = List.copyOf(queue);
    statement.execute();
    queue.clear();
    for (var one : waiting) {
      one.result().read(statement.getResultSet());
      statement.getMoreResults();
    }
  }
}
