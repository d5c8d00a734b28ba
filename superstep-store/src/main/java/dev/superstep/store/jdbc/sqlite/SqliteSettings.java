package dev.superstep.store.jdbc.sqlite;

import java.time.Duration;

/// The settings of one SQLite file. Immutable.
///
/// @param survivesPowerLoss whether each transaction waits for the disk
/// @param lockWait how long a caller waits for other processes
public record SqliteSettings(boolean survivesPowerLoss, Duration lockWait) {}
