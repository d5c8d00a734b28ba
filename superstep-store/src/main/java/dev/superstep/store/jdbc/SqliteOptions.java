package dev.superstep.store.jdbc;

import dev.superstep.store.jdbc.SqliteCheckpointer.Durability;
import dev.superstep.store.jdbc.sqlite.SqliteSettings;
import java.time.Duration;

/// Options of a [SqliteCheckpointer]. Immutable.
///
/// @param durability what saved state survives
/// @param lockWait how long other processes that write to the file, or open it, are waited for;
///   processes that wait get their turns in the order in which they came
public record SqliteOptions(Durability durability, Duration lockWait) {
  private static final SqliteOptions DEFAULTS =
      new SqliteOptions(Durability.PROCESS_CRASH, Duration.ofSeconds(30));

  public SqliteOptions {
    // SQLite counts milliseconds in an int.
    boolean fits = lockWait.toMillis() <= Integer.MAX_VALUE;
    if (lockWait.isNegative() || !fits) {
      throw new IllegalArgumentException(
          "lockWait must be from 0 to " + Integer.MAX_VALUE + " ms, was " + lockWait);
    }
  }

  /// Survives a crash of the process, and waits for 30 seconds.
  public static SqliteOptions defaults() {
    return DEFAULTS;
  }

  /// Returns a copy with another durability.
  public SqliteOptions durability(Durability survives) {
    return new SqliteOptions(survives, lockWait);
  }

  /// Returns a copy with another time to wait for other processes.
  public SqliteOptions lockWait(Duration time) {
    return new SqliteOptions(durability, time);
  }

  SqliteSettings settings() {
    return new SqliteSettings(durability == Durability.POWER_LOSS, lockWait);
  }
}
