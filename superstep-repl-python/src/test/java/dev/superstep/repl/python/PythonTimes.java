package dev.superstep.repl.python;

import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.sandbox.Sandbox;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Measures how long the first cell of a session in Python takes, a cell behind it, and a call. A
/// program of its own, for a machine that does nothing else.
final class PythonTimes {
  private static final int ROUNDS = 20;
  private static final int CALLS = 2_000;

  private PythonTimes() {}

  public static void main(String[] args) {
    var host = Capabilities.none().with(HostFunction.of("echo(x)", a -> a.get("x")));
    var python = PythonBackend.sandboxed(Sandbox.open());
    var first = new ArrayList<Double>();
    var next = new ArrayList<Double>();
    var call = new ArrayList<Double>();
    for (int i = 0; i < 2 * ROUNDS; i++) {
      boolean isWarm = i >= ROUNDS;
      try (var session = python.open(ReplPolicy.standard(), host)) {
        double firstTook = millis(session, "x = 1");
        double nextTook = millis(session, "x = 2");
        double callsTook = millis(session, "for i in range(%d): echo(i)".formatted(CALLS));
        if (!isWarm) continue;
        first.add(firstTook);
        next.add(nextTook);
        call.add(1_000 * callsTook / CALLS);
      }
    }
    System.out.printf(
        "first cell %.1f ms, next cell %.2f ms, call %.0f us (medians of %d), load average %.1f%n",
        median(first),
        median(next),
        median(call),
        ROUNDS,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static double millis(CellSession session, String cell) {
    long began = System.nanoTime();
    var result = session.executeHere(cell);
    if (!result.isComplete()) throw new IllegalStateException(String.valueOf(result.error()));
    return (System.nanoTime() - began) / 1e6;
  }

  private static double median(List<Double> all) {
    Collections.sort(all);
    return all.get(all.size() / 2);
  }
}
