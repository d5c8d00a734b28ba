package dev.superstep.store.jdbc.sqlite;

import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.sql.StoreClosed;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/// Explains errors of SQLite in a sentence that says what to do.
final class SqliteErrors {
  // Extended result codes keep the kind of error in their lowest byte.
  private static final int KIND = 0xff;
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final String RESTORE = "; restore a copy or try `sqlite3 FILE .recover`";

  private SqliteErrors() {}

  static StoreFailed failed(Path file, Duration lockWait, SQLException e) {
    if (SqliteFile.isBusy(e)) return new StoreFailed(name(file), locked(lockWait), e);
    return switch (e.getErrorCode() & KIND) {
      case 11 -> new StoreDamaged(name(file), why(e), e);
      case 10, 26 -> StoreFailed.uncertain(name(file), why(e), e);
      default -> new StoreFailed(name(file), why(e), e);
    };
  }

  static StoreFailed failed(Path file, UnreadableData e) {
    var cause = e.getCause();
    var known = cause == null ? e : cause;
    return e.isDamage()
        ? new StoreDamaged(name(file), text(e) + RESTORE, known)
        : new StoreFailed(name(file), text(e), known);
  }

  static StoreFailed failed(Path file, StoreClosed e) {
    return new StoreFailed(name(file), "it is closed; open it again to use it", e);
  }

  static StoreFailed notMade(Path file, IOException e) {
    var known = notOpenable(file);
    var why =
        known.isEmpty()
            ? "the file cannot be made (" + e + "); check the path and its permissions"
            : known;
    return StoreFailed.unopened(name(file), why, e);
  }

  /// Explains why a file cannot be opened, which has not been open before.
  static StoreFailed notOpened(Path file, Duration lockWait, SQLException e) {
    int kind = e.getErrorCode() & KIND;
    var known = kind == 14 || kind == 10 ? notOpenable(file) : "";
    if (!known.isEmpty()) return StoreFailed.unopened(name(file), known, e);
    var failed = failed(file, lockWait, e);
    boolean isAboutContent = failed instanceof StoreDamaged || kind == 10;
    if (isAboutContent) return failed;
    var why = SqliteFile.isBusy(e) ? locked(lockWait) : why(e);
    return StoreFailed.unopened(name(file), why, e);
  }

  static StoreFailed notOpened(Path file, UnreadableData e) {
    if (e.isDamage()) return failed(file, e);
    var cause = e.getCause();
    return StoreFailed.unopened(name(file), text(e), cause == null ? e : cause);
  }

  /// A plain mistake in the path, or the text is empty.
  private static String notOpenable(Path file) {
    if (Files.isDirectory(file)) return "it is a folder; name a file in it";
    for (var at = file.toAbsolutePath().getParent(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at)) return "";
      if (Files.exists(at)) return "`" + at + "` is a file and no folder; choose another path";
    }
    return "";
  }

  private static String why(SQLException e) {
    return switch (e.getErrorCode() & KIND) {
      case 6 -> "another connection keeps a table locked; try again later";
      case 3, 8, 14 -> "the file or its folder cannot be written; check their permissions";
      case 10 -> "the disk cannot be read or written (" + text(e) + "); check it and its limits";
      case 11 -> "SQLite finds its pages damaged" + RESTORE;
      case 13 -> "the disk is full; free some space and run again";
      case 18 -> "a value is larger than SQLite can hold";
      case 26 ->
          "the file is not an SQLite database, or no more; choose another file or restore a copy";
      default -> "SQLite says: " + text(e);
    };
  }

  private static String locked(Duration lockWait) {
    return "another process keeps it locked for longer than the "
        + lockWait.toMillis() / MILLIS_PER_SECOND
        + " s that are waited; end it if it hangs, let fewer processes write to one file, or wait"
        + " longer (SqliteOptions.lockWait)";
  }

  private static String name(Path file) {
    return "`" + file + "`";
  }

  private static String text(Exception e) {
    var message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
