package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.test.postgres.PostgresDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/// Ways to a database for tests.
final class Postgres {
  // Truncating would make new files for each table and index.
  private static final String EMPTY =
      """
      do $$
      declare name text;
      begin
        set local session_replication_role = replica;
        for name in
          select tablename from pg_tables
          where schemaname = 'superstep' and tablename <> 'schema_history'
        loop
          execute format('delete from superstep.%I', name);
        end loop;
      end
      $$
      """;

  private Postgres() {}

  static HikariDataSource pool(PostgresDatabase database) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setMaximumPoolSize(8);
    // A machine at load takes its time.
    pool.setConnectionTimeout(60_000);
    return pool;
  }

  /// Deletes everything, as if the tables had just been made.
  static void empty(DataSource source) throws SQLException {
    run(source, EMPTY);
  }

  static void run(DataSource source, String... statements) throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      for (var one : statements) statement.execute(one);
    }
  }

  static String text(DataSource source, String query) throws SQLException {
    try (var connection = source.getConnection()) {
      return text(connection, query);
    }
  }

  static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /// Something that happens before a method of a connection is called.
  interface Before {
    /// @param call the name of the method, or the statements that are prepared
    void call(Connection connection, String call) throws SQLException;

    static boolean isCommit(String call) {
      return call.equals("commit") || call.endsWith("; commit");
    }

    /// Something that happens before a transaction commits, by itself or with its last statement.
    static Before commit(Before then) {
      return (connection, call) -> {
        if (isCommit(call)) then.call(connection, call);
      };
    }
  }

  /// The connections of a source, which are told what is done to them.
  static DataSource watched(DataSource source, Before before) {
    return (DataSource)
        Proxy.newProxyInstance(
            Postgres.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, method, arguments) -> {
              var result = called(source, method, arguments);
              return result instanceof Connection c ? watched(c, before) : result;
            });
  }

  private static Connection watched(Connection connection, Before before) {
    return (Connection)
        Proxy.newProxyInstance(
            Postgres.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              var prepared = method.getName().equals("prepareStatement");
              before.call(connection, prepared ? (String) arguments[0] : method.getName());
              return called(connection, method, arguments);
            });
  }

  /// Something that happens after a prepared statement was executed.
  interface After {
    void executed(String statements) throws SQLException;
  }

  /// The connections of a source, whose prepared statements tell when they were executed.
  static DataSource watchedAfter(DataSource source, After after) {
    return (DataSource) watchedAfter(DataSource.class, source, "", after);
  }

  private static Object watchedAfter(Class<?> type, Object target, String text, After after) {
    return Proxy.newProxyInstance(
        Postgres.class.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> {
          var result = called(target, method, arguments);
          if (method.getName().startsWith("execute")) after.executed(text);
          if (method.getName().equals("unwrap")) return result;
          return switch (result) {
            case PreparedStatement s ->
                watchedAfter(PreparedStatement.class, s, (String) arguments[0], after);
            case Connection c -> watchedAfter(Connection.class, c, text, after);
            case null -> null;
            case Object other -> other;
          };
        });
  }

  /// The connections of a source with their statements, and what is called on them by name.
  static DataSource counted(DataSource source, Consumer<String> calls) {
    return (DataSource) counted(DataSource.class, source, calls);
  }

  private static Object counted(Class<?> type, Object target, Consumer<String> calls) {
    return Proxy.newProxyInstance(
        Postgres.class.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> {
          calls.accept(method.getName());
          var result = called(target, method, arguments);
          // The driver's own interface is asked for its settings only.
          if (method.getName().equals("unwrap")) return result;
          return switch (result) {
            case Connection c -> counted(Connection.class, c, calls);
            case PreparedStatement s -> counted(PreparedStatement.class, s, calls);
            case Statement s -> counted(Statement.class, s, calls);
            case null -> null;
            case Object other -> other;
          };
        });
  }

  private static Object called(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
