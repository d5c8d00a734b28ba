package dev.superstep.store.jdbc.postgres;

import dev.superstep.service.WatchedTopics;
import dev.superstep.store.jdbc.service.Signals;
import dev.superstep.store.jdbc.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/// Carries signals by notifications, for which one connection is kept from the first watch on. When
/// it breaks, and when there is another one, all watches are woken, so that none misses a signal.
/// Behind a pooler, which passes no notifications on, watches are woken at regular times. Safe for
/// many threads.
public final class NotifiedSignals implements Signals {
  private static final String CHANNEL = "superstep_service";
  private static final String NOTIFY = "select pg_notify('" + CHANNEL + "', ?)";
  // A server takes less than 8,000 bytes.
  private static final int BYTES_MAX = 7_000;
  private static final int SOURCE_LENGTH = 36;
  // In place of a topic that is too long.
  private static final String EVERY = "\n";
  private static final int WAIT_MILLIS = 10_000;
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final Duration PAUSE_BEHIND_POOLER = Duration.ofMillis(250);

  private final DataSource connections;
  private final WatchedTopics topics;
  private final String source = UUID.randomUUID().toString();
  private final Thread listener;
  private volatile @Nullable Connection open;
  private volatile boolean isClosed;

  private NotifiedSignals(DataSource connections, WatchedTopics topics) {
    this.connections = connections;
    this.topics = topics;
    listener =
        Thread.ofPlatform().name("superstep-postgres-listener").daemon().unstarted(this::listen);
  }

  /// Begins to listen once somebody watches.
  public static NotifiedSignals on(DataSource connections, WatchedTopics topics) {
    var signals = new NotifiedSignals(connections, topics);
    signals.listener.start();
    return signals;
  }

  @Override
  public void send(Sql sql, Collection<String> signalled) throws SQLException {
    for (var topic : signalled) {
      boolean isSent =
          topic.indexOf('\0') < 0 && topic.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX;
      var _ = sql.defer(NOTIFY, _ -> true, source + (isSent ? topic : EVERY));
    }
  }

  private void listen() {
    try {
      while (topics.awaitWatched()) {
        var pause = listenOnce();
        topics.signalAll();
        if (!isClosed) Thread.sleep(pause);
      }
    } catch (InterruptedException _) {
      // It was closed.
    }
  }

  /// Listens until the connection breaks.
  ///
  /// @return how long to wait before the next one
  private Duration listenOnce() {
    try (var connection = connections.getConnection()) {
      open = connection;
      if (isPooled(connection)) return PAUSE_BEHIND_POOLER;
      try {
        listen(connection, connection.unwrap(PGConnection.class));
      } finally {
        // Not back to a pool: the session would go on listening.
        connection.abort(Runnable::run);
      }
    } catch (SQLException _) {
      // As when the server is restarted.
    }
    return PAUSE_AFTER_FAILURE;
  }

  private static boolean isPooled(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PGConnection.class)) return true;
    connection.setAutoCommit(true);
    int expected = connection.unwrap(PGConnection.class).getBackendPID();
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("select pg_backend_pid()")) {
      return !row.next() || row.getInt(1) != expected;
    }
  }

  private void listen(Connection connection, PGConnection driver) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("listen " + CHANNEL);
      topics.signalAll();
      while (!isClosed) {
        var notifications = driver.getNotifications(WAIT_MILLIS);
        if (notifications == null || notifications.length == 0) {
          // Finds out that a server is gone which has not said so.
          statement.execute("select 1");
        } else {
          for (var notification : notifications) see(notification);
        }
      }
    }
  }

  private void see(PGNotification notification) {
    var payload = notification.getParameter();
    if (payload.length() < SOURCE_LENGTH || payload.startsWith(source)) return;
    var topic = payload.substring(SOURCE_LENGTH);
    if (topic.equals(EVERY)) topics.signalAll();
    else topics.signal(topic);
  }

  @Override
  public void close() {
    isClosed = true;
    listener.interrupt();
    var connection = open;
    if (connection == null) return;
    try {
      // Ends the wait for notifications.
      connection.abort(Runnable::run);
    } catch (SQLException _) {
      // It is gone already.
    }
  }
}
