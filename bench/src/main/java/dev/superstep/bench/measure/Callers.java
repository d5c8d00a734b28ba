package dev.superstep.bench.measure;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// W14: threads of a server that each start one short run after the other, each on a thread of its
/// own name: how many runs a second, and how long a run takes its caller.
public final class Callers {
  private static final int WARM_UP_RUNS = 50;
  private static final int RUNS_MAX = 20_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  private Callers() {}

  /// A new store with what makes one run on it.
  public interface Store extends AutoCloseable {
    /// Does one run.
    ///
    /// @param caller the number of who calls, from 0
    /// @param name of the thread to run on, which is new
    /// @return how far it counted
    long run(int caller, String name) throws Exception;

    @Override
    void close() throws IOException, SQLException;
  }

  /// Opens a store for so many callers.
  @FunctionalInterface
  public interface Opened {
    Store open(String kind, int callers) throws Exception;
  }

  /// Measures a case.
  ///
  /// @param expected how far each run counts
  public static void measure(Case what, Recorder out, String variant, long expected, Opened opened)
      throws Exception {
    int callers = what.number(1);
    what.warmUp(
        out,
        variant,
        callers * WARM_UP_RUNS,
        () -> {
          try (var store = opened.open(what.kind(), callers)) {
            all(store, callers, WARM_UP_RUNS, TimeUnit.HOURS.toNanos(1), expected);
          }
        });
    try (var store = opened.open(what.kind(), callers)) {
      List<Double> micros = new ArrayList<>();
      long most = (what.isBrief() ? 2 : 6) * TimeUnit.SECONDS.toNanos(1);
      var span =
          Span.of(() -> micros.addAll(all(store, callers, RUNS_MAX / callers, most, expected)));
      out.add(
          variant,
          "runs_per_s",
          micros.size() / (span.micros() * NANOS_PER_MICRO) * NANOS_PER_SECOND);
      out.add(variant, "run", span, micros.size());
      for (var each : micros) out.add(variant, "run_us", each);
      Collections.sort(micros);
      out.add(variant, "run_p99_us", micros.get((int) (micros.size() * 0.99)));
      out.check(variant, false, micros.isEmpty());
    }
  }

  private static List<Double> all(Store store, int callers, int runs, long most, long expected)
      throws Exception {
    long end = System.nanoTime() + most;
    try (var threads = Executors.newFixedThreadPool(callers)) {
      var working = new ArrayList<Future<List<Double>>>();
      for (int i = 0; i < callers; i++) {
        int caller = i;
        Callable<List<Double>> body =
            () -> {
              var micros = new ArrayList<Double>();
              for (int n = 0; n < runs && System.nanoTime() < end; n++) {
                long begin = System.nanoTime();
                long found = store.run(caller, "t-" + caller + "-" + n);
                micros.add((System.nanoTime() - begin) / NANOS_PER_MICRO);
                if (found != expected) throw new IllegalStateException("counted to " + found);
              }
              return micros;
            };
        working.add(threads.submit(body));
      }
      var all = new ArrayList<Double>();
      for (var caller : working) all.addAll(caller.get());
      return all;
    }
  }
}
