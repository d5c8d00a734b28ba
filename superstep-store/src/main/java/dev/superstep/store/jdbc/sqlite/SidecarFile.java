package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Digest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteErrorCode;

/// A small file beside the database. It records the newest commit a second time, and processes
/// queue for writing at a lock on it, which the operating system grants in order of arrival. Safe
/// for many threads; one instance for each file and JVM, because the operating system drops a
/// process's locks as soon as the process closes the file anywhere.
final class SidecarFile implements AutoCloseable {
  private static final Map<Path, SidecarFile> OPEN = new HashMap<>();
  private static final int BYTES = 3 * Long.BYTES;
  // Behind all that is ever written.
  private static final long LOCKED = 1L << 40;

  private final Path path;
  private final Semaphore turn = new Semaphore(1, true);
  // Not a channel, which an interrupt of the caller would close.
  private final RandomAccessFile notes;
  private FileChannel channel;
  private int users;

  private SidecarFile(Path path) throws IOException {
    this.path = path;
    this.notes = new RandomAccessFile(path.toFile(), "rw");
    this.channel = open();
  }

  /// The file beside a database.
  static SidecarFile of(Path database, FileAttribute<?>[] attributes) throws IOException {
    var absolute = database.toAbsolutePath();
    var folder = absolute.getParent();
    var real = folder == null ? absolute : folder.toRealPath().resolve(absolute.getFileName());
    var path = real.resolveSibling(real.getFileName() + "-newest");
    synchronized (OPEN) {
      var known = OPEN.get(path);
      if (known == null) SqliteFile.make(path, attributes);
      var file = known == null ? new SidecarFile(path) : known;
      file.users++;
      OPEN.put(path, file);
      return file;
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (OPEN) {
      if (--users > 0) return;
      OPEN.remove(path);
      channel().close();
      notes.close();
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  String name() {
    return path.toString();
  }

  // --- Turns ---

  /// The right to ask SQLite for its lock next.
  record Turn(SidecarFile file, FileLock lock) implements AutoCloseable {
    @Override
    public void close() {
      try {
        if (lock.isValid()) lock.release();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        file.turn.release();
      }
    }
  }

  /// Takes the turn if nobody waits for it.
  Optional<Turn> tryTurn() throws SQLException {
    if (!turn.tryAcquire()) return Optional.empty();
    try {
      var lock = channel().tryLock(LOCKED, 1, false);
      if (lock != null) return Optional.of(new Turn(this, lock));
    } catch (IOException e) {
      turn.release();
      throw failed(e);
    }
    turn.release();
    return Optional.empty();
  }

  /// Waits for the turn.
  ///
  /// @param end by the nano time
  /// @throws SQLException that says "busy" if it did not come
  Turn turn(long end) throws SQLException {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return turnOrInterrupt(end);
        } catch (InterruptedException _) {
          // Opening a store, too, ends although somebody interrupts it.
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  private Turn turnOrInterrupt(long end) throws SQLException, InterruptedException {
    if (!turn.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) throw busy();
    boolean isTaken = false;
    try {
      var taken = new Turn(this, lock(end));
      isTaken = true;
      return taken;
    } catch (ClosedByInterruptException _) {
      Thread.interrupted();
      throw new InterruptedException();
    } catch (IOException e) {
      // Else the watch closed it.
      throw System.nanoTime() < end ? failed(e) : busy();
    } finally {
      if (!isTaken) turn.release();
    }
  }

  private FileLock lock(long end) throws IOException {
    var lock = channel().tryLock(LOCKED, 1, false);
    if (lock != null) return lock;
    // Only a wait that is in the system's queue is in order, and only closing the file ends it.
    var watch = Thread.ofVirtual().name("superstep-sqlite-wait").start(() -> closeAt(end));
    try {
      return channel().lock(LOCKED, 1, false);
    } finally {
      watch.interrupt();
    }
  }

  private void closeAt(long end) {
    try {
      TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
      channel().close();
    } catch (InterruptedException | IOException _) {
      // The turn came.
    }
  }

  private synchronized FileChannel channel() throws IOException {
    if (!channel.isOpen()) channel = open();
    return channel;
  }

  static SQLException busy() {
    return new SQLException("others wait as well", null, SQLiteErrorCode.SQLITE_BUSY.code);
  }

  private SQLException failed(IOException e) {
    return new SQLException("`" + path + "`: " + e, null, SQLiteErrorCode.SQLITE_IOERR.code, e);
  }

  // --- The newest commit ---

  /// Reads the newest commit of a database, if it is known.
  ///
  /// @param database its identity
  synchronized Optional<Long> newest(long database) throws SQLException {
    var bytes = ByteBuffer.allocate(BYTES);
    try {
      notes.seek(0);
      if (notes.read(bytes.array()) < BYTES) return Optional.empty();
    } catch (IOException e) {
      throw failed(e);
    }
    long of = bytes.getLong(0);
    long newest = bytes.getLong(Long.BYTES);
    boolean isWhole = bytes.getLong(2 * Long.BYTES) == Digest.of("newest", of, newest);
    return isWhole && of == database ? Optional.of(newest) : Optional.empty();
  }

  /// Records a commit that is in the database. It does not wait for the disk: after a power loss,
  /// the record is as old as what the operating system had written.
  synchronized void note(long database, long newest) {
    var bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(database).putLong(newest).putLong(Digest.of("newest", database, newest));
    try {
      notes.seek(0);
      notes.write(bytes.array());
    } catch (IOException _) {
      // It is committed all the same, and a note of an earlier one is true as well.
    }
  }
}
