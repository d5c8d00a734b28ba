package dev.superstep.store.jdbc;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.superstep.store.jdbc.sql.Sql;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.sqlite.ProgressHandler;

/// Measures work by counts that do not depend on the load of the machine: bytes that all threads
/// allocate, and instructions that SQLite runs or calls that wait for PostgreSQL.
final class CostMeter {
  private static final int READERS = 3;
  // Of SQLite's virtual machine, between two calls of its handler.
  private static final int INSTRUCTIONS = 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final LongAdder database = new LongAdder();

  /// The cost of some work.
  ///
  /// @param bytes allocated
  /// @param database instructions or waits of the database
  /// @param micros of CPU time, of the whole process
  record Cost(long bytes, long database, long micros) {
    Cost since(Cost before) {
      return new Cost(bytes - before.bytes, database - before.database, micros - before.micros);
    }
  }

  Cost now() {
    return new Cost(
        THREADS.getTotalThreadAllocatedBytes(),
        database.sum(),
        TimeUnit.NANOSECONDS.toMicros(SYSTEM.getProcessCpuTime()));
  }

  /// Counts a call that waits for a database.
  void count() {
    database.increment();
  }

  /// Counts the instructions of all connections of a store.
  void watch(SqliteCheckpointer store) {
    store.write(this::watched);
    // Each waits for the others, so that no connection serves two.
    var all = new CyclicBarrier(READERS);
    var threads =
        java.util.stream.IntStream.range(0, READERS)
            .mapToObj(_ -> Thread.ofPlatform().start(() -> store.read(sql -> watched(sql, all))))
            .toList();
    for (var thread : threads) join(thread);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int watched(Sql sql, CyclicBarrier others) throws SQLException {
    try {
      others.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("a store has another number of readers", e);
    }
    return watched(sql);
  }

  private int watched(Sql sql) throws SQLException {
    ProgressHandler.setHandler(
        connection(sql),
        INSTRUCTIONS,
        new ProgressHandler() {
          @Override
          protected int progress() {
            database.increment();
            return 0;
          }
        });
    return 0;
  }

  private static Connection connection(Sql sql) {
    try {
      var field =
          Arrays.stream(Sql.class.getDeclaredFields())
              .filter(one -> one.getType() == Connection.class)
              .findFirst()
              .orElseThrow();
      field.setAccessible(true);
      return (Connection) field.get(sql);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
