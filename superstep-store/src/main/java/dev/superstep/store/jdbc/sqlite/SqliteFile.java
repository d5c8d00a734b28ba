package dev.superstep.store.jdbc.sqlite;

import dev.superstep.checkpoint.StoreMoved;
import dev.superstep.file.PrivateFiles;
import dev.superstep.store.jdbc.sql.Dialect;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/// The file of a store and how to connect to it. Immutable.
record SqliteFile(Path path, SqliteSettings settings, RowIds names) {
  /// Setting that makes SQLite report a lock at once.
  static final String NOT_WAITING = "pragma busy_timeout=0";

  private static final int CACHE_KIB = 2_000;
  // A transaction changes a few rows in each of several tables and writes their pages whole, so
  // that small pages cost less of the log and, with large values in chains of them, of the disk.
  private static final int PAGE_BYTES = 1_024;
  private static final int PRIMARY_CODE = 0xff;
  private static final Duration LOCK_RETRY = Duration.ofMillis(5);
  // The file may come from someone else: SQL in its schema gets no dangerous function, and pages
  // are checked as they are read.
  private static final String GUARDS =
      "pragma foreign_keys=on; pragma trusted_schema=off; pragma cell_size_check=on;"
          + " pragma cache_size=-"
          + CACHE_KIB
          + ";";

  /// Makes the file, for its owner only, if there is none. SQLite gives the files beside it the
  /// same permissions.
  ///
  /// @return the sidecar file
  SidecarFile create() throws IOException {
    var folder = path.toAbsolutePath().getParent();
    if (folder != null) PrivateFiles.createDirectories(folder);
    make(path, ownerOnly());
    return SidecarFile.of(path, ownerOnly());
  }

  /// Makes a file if there is none.
  static void make(Path file, FileAttribute<?>... attributes) throws IOException {
    if (Files.exists(file)) return;
    try {
      Files.createFile(file, attributes);
    } catch (FileAlreadyExistsException _) {
      // Another process was faster.
    }
  }

  /// Returns a key of the file that is at the path now; no other file has it.
  ///
  /// @throws StoreMoved if there is none
  Object key() throws SQLException {
    try {
      var key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path : key;
    } catch (NoSuchFileException e) {
      throw moved("no file is at its path any more", e);
    } catch (IOException e) {
      throw new SQLException(e.toString(), null, SQLiteErrorCode.SQLITE_IOERR.code, e);
    }
  }

  /// Checks that the path still leads to the file that was opened.
  ///
  /// @throws StoreMoved if not
  void checkIsAt(Object opened) throws SQLException {
    if (key().equals(opened)) return;
    var what = "another file is at its path";
    throw moved(what, new IllegalStateException(what));
  }

  private StoreMoved moved(String what, Exception cause) {
    return new StoreMoved("`" + path + "`", what, cause);
  }

  /// Returns the setting that makes SQLite wait for other processes.
  String waiting() {
    return "pragma busy_timeout=" + settings.lockWait().toMillis();
  }

  /// Returns the nano time at which a caller that starts to wait for other processes now gives up.
  long waitEnd() {
    return System.nanoTime() + settings.lockWait().toNanos();
  }

  /// A connection that may write, to a database with the schema of this program.
  ///
  /// SQLite answers "busy" at once, whatever the time that it may wait, when several turn a new
  /// file into a write-ahead log or close it for the last time. So opening is tried again for that
  /// time.
  ///
  /// @param sidecar where those who open it, too, wait for their turn
  Sql writer(SidecarFile sidecar) throws SQLException {
    long end = waitEnd();
    try (var _ = sidecar.turn(end)) {
      while (true) {
        try {
          return openWriter();
        } catch (SQLException e) {
          if (!isBusy(e) || System.nanoTime() > end) throw e;
          LockSupport.parkNanos(LOCK_RETRY.toNanos());
        }
      }
    }
  }

  /// Returns true if another process is using the database.
  static boolean isBusy(SQLException error) {
    return (error.getErrorCode() & PRIMARY_CODE) == SQLiteErrorCode.SQLITE_BUSY.code;
  }

  private Sql openWriter() throws SQLException {
    var sql = connect();
    try {
      var migrations = new SqliteSchema(sql);
      migrations.checkOwner();
      // Both only work before anything is in the file. Without the second, its length never
      // shrinks.
      sql.script("pragma page_size=" + PAGE_BYTES);
      sql.script("pragma auto_vacuum=incremental");
      writeAheadLog(sql);
      sql.script(
          settings.survivesPowerLoss() ? "pragma synchronous=full" : "pragma synchronous=normal");
      migrations.run();
      sql.script(NOT_WAITING);
      return sql;
    } catch (SQLException | RuntimeException e) {
      sql.close();
      throw e;
    }
  }

  /// A connection that only reads, from the file that was opened and from no other.
  Sql reader(Object opened) throws SQLException {
    checkIsAt(opened);
    var sql = connect();
    try {
      checkIsAt(opened);
      sql.script("pragma query_only=on");
      return sql;
    } catch (SQLException | RuntimeException e) {
      sql.close();
      throw e;
    }
  }

  private Sql connect() throws SQLException {
    var config = new SQLiteConfig();
    config.setBusyTimeout((int) settings.lockWait().toMillis());
    // It was made before, for its owner only; where there is none, it was taken away.
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    // Else the driver asks for the last key after each insert, with a statement prepared for it.
    config.setGetGeneratedKeys(false);
    // As a URI, because the driver takes settings from what follows a question mark in a name.
    var connection = config.createConnection("jdbc:sqlite:" + path.toAbsolutePath().toUri());
    var sql = new Sql(connection, Dialect.SQLITE, names);
    try {
      sql.script(GUARDS);
      // Else the driver tries to begin and to commit a transaction around each statement. That
      // begins one, and from here on the statements of the store say where one begins and ends.
      connection.setAutoCommit(false);
      sql.script("commit");
      return sql;
    } catch (SQLException e) {
      sql.close();
      throw e;
    }
  }

  /// Readers do not wait for the writer, and a commit appends to one file. The setting stays in the
  /// file, so it is only made once.
  private static void writeAheadLog(Sql sql) throws SQLException {
    if (!mode(sql, "pragma journal_mode").equals("wal")
        && !mode(sql, "pragma journal_mode=wal").equals("wal")) {
      throw new UnreadableData(
          "its file system cannot share memory between processes; put it on a local disk");
    }
    // A thread of the store does that, while callers go on.
    sql.script("pragma wal_autocheckpoint=0");
  }

  private static String mode(Sql sql, String pragma) throws SQLException {
    return sql.first(pragma, row -> row.getString(1)).orElse("");
  }

  private FileAttribute<?>[] ownerOnly() {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    var permissions = PosixFilePermissions.fromString("rw-------");
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }
}
