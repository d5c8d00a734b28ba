package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.Random;

/// W10: a thread of many rows: how long reading the last one and adding the next takes, and a page.
/// With guarantees an answer takes the thread, and the next question gives it back.
final class LongThreadLimit implements Workload {
  private static final String VARIANT = "rows";
  private static final String THREAD = "long";
  private static final int TIMES = 30;
  private static final int PAGE = 20;

  private final RowStore.Opener opener;
  private int resumes;

  LongThreadLimit(RowStore.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    try (var rows = opener.open(what.kind())) {
      var build =
          Span.of(() -> {
            var held = rows.begin(THREAD, "count", () -> "0");
            for (int n = 1; n <= steps; n++) held = rows.add(held, "count", String.valueOf(n));
            rows.ask(held, "more");
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
      out.check(VARIANT, String.valueOf(steps + resumes), rows.last(THREAD).body());
      out.check(VARIANT, PAGE, page(rows, steps, random));
    }
  }

  private void resume(RowStore rows) throws Exception {
    var held = rows.answer(THREAD, "1");
    long n = Long.parseLong(held.body()) + 1;
    held = rows.add(held, "ask", String.valueOf(n));
    rows.ask(held, "more");
    resumes++;
  }

  /// @return how many of the page come one after the other
  private static int page(RowStore rows, int steps, Random random) throws Exception {
    int before = PAGE + random.nextInt(steps - PAGE);
    int right = 0;
    for (var row : rows.page(THREAD, before, PAGE)) {
      if (row.step() == before - 1 - right) right++;
    }
    return right;
  }
}
