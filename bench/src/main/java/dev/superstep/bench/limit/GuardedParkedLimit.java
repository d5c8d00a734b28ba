package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import org.jspecify.annotations.Nullable;

/// W5 with guarantees. A thread is taken with its input, kept after its first step, and given back
/// with its question; it is taken again with the answer and given back with the last row.
final class GuardedParkedLimit implements Workload {
  private static final String VARIANT = "rows";
  private static final int WARM_UP_THREADS = 300;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    what.warmUp(out, VARIANT, WARM_UP_THREADS, () -> run(what.kind(), WARM_UP_THREADS, null));
    run(what.kind(), what.number(1), out);
  }

  private static void run(String kind, int threads, @Nullable Recorder out) throws Exception {
    try (var rows = GuardedRows.open(kind)) {
      long before = out == null ? 0 : Heap.used();
      var park =
          Span.of(() -> {
            for (int i = 0; i < threads; i++) park(rows, "thread-" + i, "thing " + i);
          });
      long after = out == null ? 0 : Heap.used();
      var sum = new long[1];
      var resume =
          Span.of(() -> {
            for (int i = 0; i < threads; i++) sum[0] += resumed(rows, "thread-" + i);
          });
      if (out == null) return;
      out.check(VARIANT, 2L * threads, sum[0]);
      out.check(VARIANT, "2|thing 7", rows.last("thread-7").body());
      out.add(VARIANT, "park", park, threads);
      out.add(VARIANT, "resume", resume, threads);
      if (kind.equals("memory")) {
        out.add(VARIANT, "heap_bytes_per_thread", (double) (after - before) / threads);
      }
      if (rows.bytes() > 0) out.add(VARIANT, "disk_bytes", rows.bytes());
    }
  }

  private static void park(GuardedRows rows, String thread, String about) throws Exception {
    var held = rows.begin(thread, "draft", "0|" + about);
    held = rows.add(held, "ask", "1|" + about);
    rows.ask(held, about);
  }

  /// @return what the thread has counted to
  private static long resumed(GuardedRows rows, String thread) throws Exception {
    var held = rows.answer(thread, "1");
    int end = held.body().indexOf('|');
    long n = Long.parseLong(held.body().substring(0, end)) + 1;
    rows.end(held, "", n + held.body().substring(end));
    return n;
  }
}
