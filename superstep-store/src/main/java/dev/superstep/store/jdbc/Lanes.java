package dev.superstep.store.jdbc;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteErrorCode;

/// The threads of a store, each with a connection of its own: one writes, a few read. Safe for many
/// threads.
///
/// They are platform threads, because SQLite is native code, which pins the carrier of a virtual
/// thread: a fan-out of virtual threads would stop all others for as long as the disk takes. They
/// are daemons: what a call returned for is in the file, so nothing is lost when the process ends.
///
/// A caller who comes when nobody is at work does its own work: the way to another thread and back
/// takes longer than most transactions. So at most one is at work on a thread that is not from
/// here, and does not wait there for another process.
final class Lanes {
  private static final int WAITING_MAX = 1024;
  private static final int BATCH_MAX = 256;
  private static final int READERS = 3;
  private static final String BEGIN = "begin immediate";
  private static final long LOCK_RETRY_NANOS = 1_000_000;
  // After so long, those who wait in other processes come first.
  private static final long POLITE_NANOS = 5_000_000;

  private final SqliteFile file;
  private final BesideFile beside;
  private final Object opened;
  // For who has the turn.
  private final Sql writer;
  private final NewestCommit newest;
  private long polite = System.nanoTime();
  private final ReentrantLock writersTurn = new ReentrantLock();
  private final RequestQueue writes = new RequestQueue(WAITING_MAX);
  private final RequestQueue reads = new RequestQueue(WAITING_MAX);
  private final List<Thread> writing;
  private final List<Thread> reading = new ArrayList<>();

  private Lanes(SqliteFile file, BesideFile beside, Object opened, Sql writer) throws SQLException {
    this.file = file;
    this.beside = beside;
    this.opened = opened;
    this.writer = writer;
    newest = NewestCommit.of(writer, beside);
    writing = List.of(thread("superstep-sqlite-writer", this::serveWrites));
    for (int i = 0; i < READERS; i++) {
      reading.add(thread("superstep-sqlite-reader-" + i, this::serveReads));
    }
  }

  /// @param beside is closed with the lanes, or if they cannot be opened
  static Lanes open(SqliteFile file, BesideFile beside) throws SQLException, IOException {
    try {
      var opened = file.key();
      var writer = file.writer(beside);
      try {
        file.checkIsAt(opened);
        var lanes = new Lanes(file, beside, opened, writer);
        lanes.writing.forEach(Thread::start);
        lanes.reading.forEach(Thread::start);
        return lanes;
      } catch (SQLException | RuntimeException e) {
        writer.close();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      beside.close();
      throw e;
    }
  }

  /// Runs the operation in a transaction that is in the file when this returns.
  <T> T write(Operation<T> operation) throws SQLException {
    var request = new Request<>(operation);
    if (writes.isEmpty() && writersTurn.tryLock()) {
      try {
        if (writes.isClosed()) throw new StoreClosed();
        if (writeNow(request)) return request.await();
      } finally {
        writersTurn.unlock();
      }
    }
    return serve(writes, request);
  }

  /// Runs the operation where one writes, outside of a transaction.
  <T> T alone(Operation<T> operation) throws SQLException {
    return serve(writes, new Request<>(operation, true));
  }

  /// Runs the operation on one state of the database.
  <T> T read(Operation<T> operation) throws SQLException {
    return serve(reads, new Request<>(operation));
  }

  /// The same for one that takes no longer than a write. Who writes has in memory what it wrote;
  /// who only reads has to fetch it again.
  <T> T glance(Operation<T> operation) throws SQLException {
    if (writersTurn.tryLock()) {
      try {
        if (writes.isClosed()) throw new StoreClosed();
        var request = new Request<>(operation);
        read(writer, request);
        return request.await();
      } finally {
        writersTurn.unlock();
      }
    }
    return read(operation);
  }

  /// Serves what waits, then ends the threads and connections. A second call waits for the first.
  void close() throws SQLException {
    reads.close();
    writes.close();
    join(reading);
    join(writing);
    writersTurn.lock();
    try {
      writer.close();
      beside.close();
    } catch (IOException e) {
      throw new SQLException(e.toString(), null, SQLiteErrorCode.SQLITE_IOERR.code, e);
    } finally {
      writersTurn.unlock();
    }
  }

  private static <T> T serve(RequestQueue queue, Request<T> request) throws SQLException {
    if (!queue.add(request)) throw new StoreClosed();
    return request.await();
  }

  private void serveWrites() {
    for (var batch = writes.take(BATCH_MAX); !batch.isEmpty(); batch = writes.take(BATCH_MAX)) {
      writersTurn.lock();
      try {
        if (batch.getFirst().isAlone()) runAlone(batch.getFirst());
        else writeTogether(batch);
      } finally {
        writersTurn.unlock();
      }
    }
  }

  private void runAlone(Request<?> request) {
    try {
      file.checkIsAt(opened);
      writer.script(file.waiting());
      request.run(writer);
      writer.script(SqliteFile.NOT_WAITING);
      request.succeed();
    } catch (Throwable e) { // An Error, too, must reach the caller and not end the writer.
      request.fail(e);
    }
  }

  /// One transaction for all who wait: the file is written once for the many tasks of a fan-out.
  private void writeTogether(List<Request<?>> batch) {
    try {
      begin();
    } catch (SQLException | RuntimeException e) {
      batch.forEach(request -> request.fail(e));
      return;
    }
    inTransaction(batch);
  }

  private void inTransaction(List<Request<?>> batch) {
    try {
      for (var request : batch) request.run(writer);
      long made = newest.next(writer);
      // What is written into a file that nobody finds is not safe.
      file.checkIsAt(opened);
      writer.update("commit");
      newest.committed(made);
      writer.committed();
      batch.forEach(Request::succeed);
    } catch (Throwable e) { // An Error, too, must reach the caller and not end the writer.
      rollBack(writer);
      // Somebody's fault, but not everybody's: those without one succeed when they run alone.
      if (batch.size() == 1) batch.getFirst().fail(e);
      else batch.forEach(request -> writeTogether(List.of(request)));
    }
  }

  /// @return false if another process is writing
  private boolean writeNow(Request<?> request) {
    try {
      if (!beginNow()) return false;
    } catch (SQLException e) {
      request.fail(e);
      return true;
    }
    inTransaction(List.of(request));
    return true;
  }

  private boolean beginNow() throws SQLException {
    if (System.nanoTime() - polite < POLITE_NANOS) return tryBegin();
    var turn = beside.tryTurn();
    if (turn.isEmpty()) return false;
    try (var _ = turn.get()) {
      boolean isBegun = tryBegin();
      if (isBegun) polite = System.nanoTime();
      return isBegun;
    }
  }

  private boolean tryBegin() throws SQLException {
    try {
      writer.update(BEGIN);
      return true;
    } catch (SQLException e) {
      if (SqliteFile.isBusy(e)) return false;
      throw e;
    }
  }

  /// Begins a transaction, when no other process is writing any more and those who came before have
  /// had their turns. Of all processes, one at a time asks SQLite again and again.
  private void begin() throws SQLException {
    long end = file.waitEnd();
    try (var _ = beside.turn(end)) {
      while (!tryBegin()) {
        if (System.nanoTime() > end) throw BesideFile.busy();
        LockSupport.parkNanos(LOCK_RETRY_NANOS);
      }
      polite = System.nanoTime();
    }
  }

  private void serveReads() {
    try (var connection = new LateConnection(file, opened)) {
      for (var batch = reads.take(1); !batch.isEmpty(); batch = reads.take(1)) {
        read(connection, batch.getFirst());
      }
    }
  }

  private static void read(LateConnection connection, Request<?> request) {
    try {
      read(connection.sql(), request);
    } catch (SQLException | RuntimeException e) {
      request.fail(e);
    }
  }

  private static void read(Sql sql, Request<?> request) {
    try {
      try {
        sql.update("begin");
        request.run(sql);
      } finally {
        rollBack(sql);
      }
      request.succeed();
    } catch (Throwable e) { // An Error, too, must reach the caller and not end the reader.
      request.fail(e);
    }
  }

  private static void rollBack(Sql sql) {
    sql.rolledBack();
    try {
      sql.update("rollback");
    } catch (SQLException _) {
      // SQLite has already rolled back, as it does after grave errors.
    }
  }

  private static Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().name(name).daemon().unstarted(body);
  }

  private static void join(List<Thread> threads) {
    boolean interrupted = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
