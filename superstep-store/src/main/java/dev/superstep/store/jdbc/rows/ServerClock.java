package dev.superstep.store.jdbc.rows;

import dev.superstep.store.jdbc.sql.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The time of a database server, so that processes whose clocks differ agree on it. It is asked
/// for now and then; in between, what has passed since is added. Safe for many threads.
public final class ServerClock implements InstantSource {
  private static final long ASKED_NANOS = Duration.ofSeconds(30).toNanos();

  private final Transactions database;
  private volatile @Nullable Known known;

  public ServerClock(Transactions database) {
    this.database = database;
  }

  /// The time that the server told, and when by the count of this process.
  private record Known(Instant time, long nanos) {}

  /// Asks the server if that was long ago. Not within a transaction.
  void settle() {
    var last = known;
    if (last == null || System.nanoTime() - last.nanos() > ASKED_NANOS) known = asked();
  }

  private Known asked() {
    return database.read(sql -> {
      long nanos = System.nanoTime();
      var query = "select " + sql.dialect().now();
      long micros = sql.first(query, row -> row.getLong(1)).orElseThrow();
      return new Known(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), nanos);
    });
  }

  @Override
  public Instant instant() {
    var last = known;
    if (last == null) {
      last = asked();
      known = last;
    }
    return last.time().plusNanos(System.nanoTime() - last.nanos());
  }

  @Override
  public String toString() {
    return "ServerClock[" + database + "]";
  }
}
