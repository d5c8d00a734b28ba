package dev.superstep.bench.measure;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/// Many callers at once of something that asks a slow model twice: how long all of them take, how
/// many threads of the operating system that needs, and how long it takes to cancel all of them.
public final class Crowd {
  private static final Duration NEVER = Duration.ofMinutes(5);

  private Crowd() {}

  /// Makes what a caller does, on a server.
  @FunctionalInterface
  public interface Calls {
    /// What one caller does; gives the answer.
    Callable<String> on(String url) throws Exception;
  }

  /// Measures both.
  public static void measure(Case what, Recorder out, String variant, Calls calls)
      throws Exception {
    int callers = what.number(1);
    var takes = Duration.ofMillis(what.number(2));
    try (var server = SlowModelServer.start(takes, 0)) {
      var call = calls.on(server.url());
      what.warmUp(out, variant, 1, () -> all(callers / 10, call));
      what.repeat(what.repetitions(), () -> measureAll(callers, call, out, variant));
    }
    what.repeat(what.repetitions(), () -> measureCancel(callers, calls, out, variant));
  }

  private static void measureAll(int callers, Callable<String> call, Recorder out, String variant)
      throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    threads.resetPeakThreadCount();
    var good = new int[1];
    var span = Span.of(() -> good[0] = all(callers, call));
    out.add(variant, "caller", span, callers);
    out.add(variant, "wall_ms", span.micros() / 1_000);
    out.add(variant, "platform_threads", threads.getPeakThreadCount());
    out.check(variant, callers, good[0]);
  }

  /// @return how many got the right answer
  private static int all(int callers, Callable<String> call) throws InterruptedException {
    var good = new AtomicInteger();
    for (var thread : started(callers, call, good)) thread.join();
    return good.get();
  }

  private static void measureCancel(int callers, Calls calls, Recorder out, String variant)
      throws Exception {
    try (var server = SlowModelServer.start(NEVER, callers)) {
      var good = new AtomicInteger();
      var all = started(callers, calls.on(server.url()), good);
      server.awaitAsked();
      long start = System.nanoTime();
      for (var thread : all) thread.interrupt();
      for (var thread : all) thread.join();
      out.add(variant, "cancel_ms", (System.nanoTime() - start) / 1e6);
      out.check(variant, 0, good.get());
    }
  }

  private static List<Thread> started(int callers, Callable<String> call, AtomicInteger good) {
    var all = new ArrayList<Thread>(callers);
    for (int i = 0; i < callers; i++) {
      all.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  if (call.call().equals("Seen.")) good.incrementAndGet();
                } catch (Exception _) {
                  // Not counted: the check says how many are missing.
                }
              }));
    }
    return all;
  }
}
