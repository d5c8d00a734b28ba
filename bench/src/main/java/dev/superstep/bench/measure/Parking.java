package dev.superstep.bench.measure;

import java.io.IOException;
import java.sql.SQLException;

/// W5: many threads that begin to wait for an answer, one after the other, and then go on.
public final class Parking {
  private static final int WARM_UP_THREADS = 300;

  private Parking() {}

  /// A new store with the threads of a system, by number. Each counts to 1 before it waits, and to
  /// 2 when it goes on.
  public interface Threads extends AutoCloseable {
    /// Runs a thread until it waits.
    void park(int number) throws Exception;

    /// Answers a thread, which then runs to its end.
    ///
    /// @return what it has counted to
    long resume(int number) throws Exception;

    /// The size on the disk.
    default long bytes() throws Exception {
      return 0;
    }

    @Override
    void close() throws IOException, SQLException;
  }

  /// Opens a store.
  @FunctionalInterface
  public interface Opened {
    Threads open(String kind) throws Exception;
  }

  /// Measures a case.
  public static void measure(Case what, Recorder out, String variant, Opened opened)
      throws Exception {
    what.warmUp(
        out,
        variant,
        WARM_UP_THREADS,
        () -> {
          try (var threads = opened.open(what.kind())) {
            parkAll(threads, WARM_UP_THREADS);
            resumeAll(threads, WARM_UP_THREADS);
          }
        });
    int count = what.number(1);
    what.repeat(
        what.repetitions(),
        () -> {
          try (var threads = opened.open(what.kind())) {
            out.add(variant, "park", Span.of(() -> parkAll(threads, count)), count);
            var sum = new long[1];
            var span = Span.of(() -> sum[0] = resumeAll(threads, count));
            out.add(variant, "resume", span, count);
            out.check(variant, 2L * count, sum[0]);
            if (threads.bytes() > 0) out.add(variant, "disk_bytes", threads.bytes());
          }
        });
    if (what.kind().equals("memory")) weigh(count, out, variant, opened);
  }

  private static void weigh(int count, Recorder out, String variant, Opened opened)
      throws Exception {
    try (var threads = opened.open("memory")) {
      long before = Heap.used();
      parkAll(threads, count);
      out.add(variant, "heap_bytes_per_thread", (double) (Heap.used() - before) / count);
      out.check(variant, 2L, threads.resume(0));
    }
  }

  private static void parkAll(Threads threads, int count) throws Exception {
    for (int i = 0; i < count; i++) threads.park(i);
  }

  private static long resumeAll(Threads threads, int count) throws Exception {
    long sum = 0;
    for (int i = 0; i < count; i++) sum += threads.resume(i);
    return sum;
  }
}
