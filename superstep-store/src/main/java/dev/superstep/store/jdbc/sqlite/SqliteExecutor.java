package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.StoreClosed;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.sqlite.SQLiteErrorCode;

/// Threads of a store, each with a connection of its own: one writes, a few read. Safe for many
/// threads.
///
/// They are platform threads, because SQLite is native code and pins the carrier of a virtual
/// thread: a fan-out of virtual threads would block all others while the disk works. They are
/// daemons: a call returns after its data is in the file, so nothing is lost when the process ends.
///
/// A caller that finds the writer idle runs its own request, and those that wait, in one
/// transaction: a switch to another thread and back takes longer than most transactions. So at most
/// one outside thread works on the writer's connection, and it does not wait there for another
/// process.
final class SqliteExecutor {
  private static final int WAITING_MAX = 1024;
  private static final int BATCH_MAX = 256;
  private static final int READERS = 3;
  private static final String BEGIN = "begin immediate";
  private static final long LOCK_RETRY_NANOS = 1_000_000;
  // After so long, those who wait in other processes come first.
  private static final long POLITE_NANOS = 5_000_000;

  private final SqliteFile file;
  private final SidecarFile sidecar;
  private final Object opened;
  // For who has the turn.
  private final Sql writer;
  private final CommitCounter newest;
  private long polite = System.nanoTime();
  private final ReentrantLock writersTurn = new ReentrantLock();
  private final RequestQueue writes = new RequestQueue(WAITING_MAX);
  private final RequestQueue reads = new RequestQueue(WAITING_MAX);
  private final WalCheckpointer checkpointer;
  private final List<Thread> writing;
  private final List<Thread> reading = new ArrayList<>();

  private SqliteExecutor(SqliteFile file, SidecarFile sidecar, Object opened, Sql writer)
      throws SQLException {
    this.file = file;
    this.sidecar = sidecar;
    this.opened = opened;
    this.writer = writer;
    newest = CommitCounter.of(writer, sidecar);
    checkpointer = new WalCheckpointer(new LazyConnection(file, opened), this::pause);
    writing = List.of(thread("superstep-sqlite-writer", this::serveWrites));
    reading.add(thread("superstep-sqlite-checkpointer", checkpointer::serve));
    for (int i = 0; i < READERS; i++) {
      reading.add(thread("superstep-sqlite-reader-" + i, this::serveReads));
    }
  }

  /// @param sidecar is closed with the executor, or if they cannot be opened
  static SqliteExecutor open(SqliteFile file, SidecarFile sidecar)
      throws SQLException, IOException {
    try {
      var opened = file.key();
      var writer = file.writer(sidecar);
      try {
        file.checkIsAt(opened);
        var executor = new SqliteExecutor(file, sidecar, opened, writer);
        executor.writing.forEach(Thread::start);
        executor.reading.forEach(Thread::start);
        return executor;
      } catch (SQLException | RuntimeException e) {
        writer.close();
        throw e;
      }
    } catch (SQLException | RuntimeException e) {
      sidecar.close();
      throw e;
    }
  }

  /// Runs the operation in a transaction that is in the file when this returns.
  <T> T write(Operation<T> operation) throws SQLException {
    var request = new Request<>(operation);
    if (writesNow(request)) return request.await();
    if (!writes.addSilently(request)) throw new StoreClosed();
    // Who had the turn looks at the queue after it, and may have done so before this was there.
    if (!writersTurn.isLocked()) writes.wake();
    return request.await();
  }

  /// Runs the request and those that wait, if nobody else writes.
  private boolean writesNow(Request<?> request) throws SQLException {
    if (writes.isAloneNext() || !writersTurn.tryLock()) return false;
    try {
      if (writes.isClosed()) throw new StoreClosed();
      return writeNow(request);
    } finally {
      endTurn();
    }
  }

  private void endTurn() {
    writersTurn.unlock();
    if (!writes.isEmpty()) writes.wake();
  }

  /// Returns how many writes wait for others to end.
  int waitingWrites() {
    return writes.size();
  }

  /// Runs the operation on the writer's connection, outside a transaction.
  <T> T outsideTransaction(Operation<T> operation) throws SQLException {
    return serve(writes, new Request<>(operation, true));
  }

  /// Runs the operation on one state of the database.
  <T> T read(Operation<T> operation) throws SQLException {
    return serve(reads, new Request<>(operation));
  }

  /// Runs a short read on the writer's connection if that is idle, else like [#read]. The writer's
  /// connection has in memory what it wrote; another one has to read it again.
  <T> T readOnWriter(Operation<T> operation) throws SQLException {
    if (writersTurn.tryLock()) {
      try {
        if (writes.isClosed()) throw new StoreClosed();
        var request = new Request<>(operation);
        read(writer, request);
        return request.await();
      } finally {
        endTurn();
      }
    }
    return read(operation);
  }

  /// Serves what waits, then ends the threads and connections. A second call waits for the first.
  void close() throws SQLException {
    reads.close();
    writes.close();
    checkpointer.close();
    join(reading);
    join(writing);
    writersTurn.lock();
    try {
      // What a caller put back after the writer had ended.
      var left = writes.takeWaiting(BATCH_MAX);
      if (!left.isEmpty()) writeTogether(left);
      writer.close();
      sidecar.close();
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
    while (writes.awaitWaiting()) {
      writersTurn.lock();
      try {
        // A caller may have served them in between.
        var batch = writes.takeWaiting(BATCH_MAX);
        if (batch.isEmpty()) continue;
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

  /// Runs all waiting requests in one transaction, so that the file is written once for the many
  /// tasks of a fan-out.
  private void writeTogether(List<Request<?>> batch) {
    if (!begins(batch)) return;
    try {
      for (var request : batch) request.run(writer);
      commit();
      batch.forEach(Request::succeed);
    } catch (Throwable e) { // An Error, too, must reach the caller and not end the writer.
      rollBack(writer);
      if (batch.size() == 1) batch.getFirst().fail(e);
      else writeIsolated(batch);
    }
  }

  /// Runs requests of which one fails in one transaction, each by itself: it is somebody's fault,
  /// but not everybody's.
  private void writeIsolated(List<Request<?>> batch) {
    if (!begins(batch)) return;
    var failures = new HashMap<Request<?>, Throwable>();
    try {
      for (var request : batch) {
        var failure = request.attempt(writer);
        if (failure != null) failures.put(request, failure);
      }
      commit();
    } catch (Throwable _) { // As of a full disk, which each has to be told of its own request.
      rollBack(writer);
      batch.forEach(request -> writeTogether(List.of(request)));
      return;
    }
    for (var request : batch) {
      var failure = failures.get(request);
      if (failure == null) request.succeed();
      else request.fail(failure);
    }
  }

  private boolean begins(List<Request<?>> batch) {
    try {
      begin();
      return true;
    } catch (SQLException | RuntimeException e) {
      batch.forEach(request -> request.fail(e));
      return false;
    }
  }

  private void commit() throws SQLException {
    long made = newest.next(writer);
    // What is written into a file that nobody finds is not safe.
    file.checkIsAt(opened);
    writer.update("commit");
    newest.committed(made);
    writer.committed();
    checkpointer.committed(writer);
  }

  /// Runs a caller's request on its thread, after those that wait. If one fails, the others go back
  /// to the queue: they are not to fail by what is particular to the thread, such as its stack.
  ///
  /// @return false if another process is writing
  private boolean writeNow(Request<?> request) {
    try {
      if (!beginNow()) return false;
    } catch (SQLException e) {
      request.fail(e);
      return true;
    }
    var others = writes.takeWaiting(BATCH_MAX);
    if (!others.isEmpty() && others.getFirst().isAlone()) {
      rollBack(writer);
      writes.restore(others);
      return false;
    }
    try {
      for (var other : others) other.run(writer);
      request.run(writer);
      commit();
    } catch (Throwable e) { // An Error, too, must reach the caller, and not end others' requests.
      rollBack(writer);
      if (others.isEmpty()) {
        request.fail(e);
        return true;
      }
      writes.restore(others);
      return false;
    }
    others.forEach(Request::succeed);
    request.succeed();
    return true;
  }

  private boolean pause(WalCheckpointer.Pause action) throws SQLException {
    writersTurn.lock();
    try {
      if (!tryBegin()) return false;
      action.run();
      return true;
    } finally {
      rollBack(writer);
      endTurn();
    }
  }

  private boolean beginNow() throws SQLException {
    if (System.nanoTime() - polite < POLITE_NANOS) return tryBegin();
    var turn = sidecar.tryTurn();
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

  /// Begins a transaction once no other process writes and earlier callers had their turns. One
  /// process at a time polls SQLite.
  private void begin() throws SQLException {
    long end = file.waitEnd();
    try (var _ = sidecar.turn(end)) {
      while (!tryBegin()) {
        if (System.nanoTime() > end) throw SidecarFile.busy();
        LockSupport.parkNanos(LOCK_RETRY_NANOS);
      }
      polite = System.nanoTime();
    }
  }

  private void serveReads() {
    try (var connection = new LazyConnection(file, opened)) {
      for (var batch = reads.take(1); !batch.isEmpty(); batch = reads.take(1)) {
        read(connection, batch.getFirst());
      }
    }
  }

  private static void read(LazyConnection connection, Request<?> request) {
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
