package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.Random;

/// W10: a thread of many rows: how long reading the last one and adding the next takes, and a page.
final class LongThreadLimit implements Workload {
  private static final String VARIANT = "rows";
  private static final String THREAD = "long";
  private static final int TIMES = 30;
  private static final int PAGE = 20;

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    try (var rows = Rows.open(what.kind())) {
      var build =
          Span.of(() -> {
            for (int n = 0; n < steps; n++) rows.add(THREAD, n, "count", String.valueOf(n));
          });
      out.add(VARIANT, "build", build, steps);
      var random = new Random(10);
      what.warmUp(
          out,
          VARIANT,
          1,
          () -> {
            resume(rows);
            page(rows, steps, random);
          });
      for (int i = 0; i < TIMES * what.repetitions(); i++) {
        out.add(VARIANT, "us_per_resume", Span.micros(() -> resume(rows)));
        out.add(VARIANT, "us_per_page", Span.micros(() -> page(rows, steps, random)));
      }
      var last = rows.last(THREAD);
      out.check(VARIANT, String.valueOf(last.step()), last.body());
      out.check(VARIANT, PAGE, page(rows, steps, random));
    }
  }

  private static void resume(Rows rows) throws Exception {
    var last = rows.last(THREAD);
    long n = Long.parseLong(last.body()) + 1;
    rows.add(THREAD, last.step() + 1, "ask", String.valueOf(n));
  }

  /// @return how many of the page come one after the other
  private static int page(Rows rows, int steps, Random random) throws Exception {
    int before = PAGE + random.nextInt(steps - PAGE);
    int right = 0;
    for (var row : rows.page(THREAD, before, PAGE)) {
      if (row.step() == before - 1 - right) right++;
    }
    return right;
  }
}
