package dev.superstep.store.jdbc.service;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.service.WatchedTopics;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// Carries signals by a table that other processes look at while somebody there watches. Safe for
/// many threads.
public final class PolledSignals implements Signals {
  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  // Who is further behind is woken for everything.
  private static final int KEPT_MAX = 1_000;

  private final Transactions database;
  private final WatchedTopics topics;
  private final String source = UUID.randomUUID().toString();
  private final Thread poller;
  private long last;

  private record Signal(long number, String topic, String source) {}

  private PolledSignals(Transactions database, WatchedTopics topics) {
    this.database = database;
    this.topics = topics;
    poller = Thread.ofPlatform().name("superstep-signals").daemon().unstarted(this::poll);
  }

  /// Begins to look.
  public static PolledSignals on(Transactions database, WatchedTopics topics) {
    var signals = new PolledSignals(database, topics);
    signals.last = signals.newest();
    signals.poller.start();
    return signals;
  }

  @Override
  public void send(Sql sql, Collection<String> signalled) throws SQLException {
    var rows = signalled.stream().map(topic -> List.of(topic, source)).toList();
    sql.batch("insert into service_signal (topic, source) values (?, ?)", rows);
    sql.update(
        "delete from service_signal where number <= (select max(number) from service_signal) - ?",
        KEPT_MAX);
  }

  private long newest() {
    var query = "select coalesce(max(number), 0) from service_signal";
    return database.read(sql -> sql.first(query, row -> row.getLong(1)).orElse(0L));
  }

  private void poll() {
    try {
      while (topics.awaitWatched()) {
        Thread.sleep(look());
      }
    } catch (InterruptedException _) {
      // It was closed.
    }
  }

  /// Wakes those who watch what was signalled.
  ///
  /// @return when to look again
  private Duration look() {
    try {
      see(database.read(this::later));
      return PAUSE;
    } catch (StoreFailed _) {
      // Who watches will find out, too.
      topics.signalAll();
      return PAUSE_AFTER_FAILURE;
    }
  }

  private List<Signal> later(Sql sql) throws SQLException {
    return sql.all(
        "select number, topic, source from service_signal where number > ? order by number",
        row -> new Signal(row.getLong(1), row.getString(2), row.getString(3)),
        last);
  }

  private void see(List<Signal> signals) {
    if (signals.isEmpty()) return;
    boolean areSomeGone = signals.getFirst().number() > last + 1;
    last = signals.getLast().number();
    if (areSomeGone) topics.signalAll();
    for (var signal : signals) {
      if (!signal.source().equals(source)) topics.signal(signal.topic());
    }
  }

  @Override
  public void close() {
    poller.interrupt();
  }
}
