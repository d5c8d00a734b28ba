package dev.superstep.store.jdbc.postgres;

import dev.superstep.store.jdbc.sql.StoreClosed;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Threads that wait for a server on behalf of callers. Safe for many threads.
///
/// They are platform threads: the socket of a virtual one is closed when that is interrupted, in
/// the middle of a transaction, and a pool gives no connection to an interrupted thread at all.
/// They end when nobody has needed them for a while, and are daemons.
final class WorkerPool {
  private static final int THREADS_MAX = 16;
  private static final int IDLE_SECONDS_MAX = 30;

  private final ThreadPoolExecutor threads;

  /// @param name how their names begin
  WorkerPool(String name) {
    var count = new AtomicLong();
    threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            // As long as there are callers, each of whom waits for its own.
            new LinkedBlockingQueue<>(),
            body ->
                Thread.ofPlatform().name(name + count.getAndIncrement()).daemon().unstarted(body));
    threads.allowCoreThreadTimeOut(true);
  }

  /// Runs the work and waits for its end. An interrupt does not end the wait; the thread is still
  /// interrupted afterwards.
  <T> T run(Callable<T> work) throws SQLException {
    var task = new FutureTask<>(work);
    try {
      threads.execute(task);
    } catch (RejectedExecutionException _) {
      throw new StoreClosed();
    }
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException _) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw thrown(e);
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  private static SQLException thrown(ExecutionException e) {
    return switch (e.getCause()) {
      case SQLException cause -> cause;
      case RuntimeException cause -> throw cause;
      case Error cause -> throw cause;
      case null, default -> throw new IllegalStateException(e);
    };
  }

  /// Ends when what was begun has ended. Refuses what comes later.
  void close() {
    threads.close();
  }
}
