package dev.superstep.bench.served;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/// The figures so far. For one thread.
final class ServedFigures {
  private static final double MILLION = 1e6;
  private static final int REQUESTS_PER_CYCLE = 3;
  private static final int RUNS_PER_CYCLE = 2;
  private static final double MEDIAN = 0.5;
  private static final double SLOWEST = 0.99;

  private final Map<ServedSystem, TreeMap<Integer, List<Load>>> loads =
      new EnumMap<>(ServedSystem.class);
  private final Map<ServedSystem, Memory> memories = new EnumMap<>(ServedSystem.class);

  /// The figures of one time under load. Immutable.
  ///
  /// @param cpuMs of the server for each run
  /// @param medianMs of create + stream + wait
  /// @param p99Ms of the same
  /// @param p99CreateMs of the request alone, as the next two
  record Load(
      int cycles,
      double requests,
      double cpuMs,
      double medianMs,
      double p99Ms,
      double p99CreateMs,
      double p99StreamMs,
      double p99AwaitMs) {
    static Load of(List<Traffic.Cycle> cycles, double seconds, double cpu) {
      int count = cycles.size();
      return new Load(
          count,
          count * REQUESTS_PER_CYCLE / seconds,
          cpu * 1_000 / (count * RUNS_PER_CYCLE),
          ms(cycles, MEDIAN, Traffic.Cycle::all),
          ms(cycles, SLOWEST, Traffic.Cycle::all),
          ms(cycles, SLOWEST, Traffic.Cycle::create),
          ms(cycles, SLOWEST, Traffic.Cycle::stream),
          ms(cycles, SLOWEST, Traffic.Cycle::await));
    }

    private static double ms(
        List<Traffic.Cycle> cycles, double part, ToLongFunction<Traffic.Cycle> time) {
      var sorted = cycles.stream().mapToLong(time).sorted().toArray();
      int place = (int) Math.ceil(sorted.length * part) - 1;
      return sorted[Math.max(0, place)] / MILLION;
    }

    String line() {
      return String.format(
          Locale.ROOT,
          "%,.0f requests/s, cpu %.2f ms a run, create + stream + wait: median %.1f ms, p99 %.1f ms"
              + " (create %.1f, stream %.1f, wait %.1f), %,d times",
          requests,
          cpuMs,
          medianMs,
          p99Ms,
          p99CreateMs,
          p99StreamMs,
          p99AwaitMs,
          cycles);
    }
  }

  /// Memory of a server in MB. Immutable.
  record Memory(double fresh, double idle, double active) {
    String line() {
      return String.format(
          Locale.ROOT,
          "%.0f MB fresh, %.0f MB with 1,000 idle threads, %.0f MB with 200 active ones as well",
          fresh,
          idle,
          active);
    }
  }

  void add(ServedSystem system, int users, Load load) {
    loads
        .computeIfAbsent(system, _ -> new TreeMap<>())
        .computeIfAbsent(users, _ -> new ArrayList<>())
        .add(load);
  }

  void add(ServedSystem system, Memory memory) {
    memories.put(system, memory);
  }

  /// The medians of all rounds, as a page can show them.
  String table() {
    var text = new StringBuilder();
    text.append(
        "\n| users | server | requests/s | CPU a run, ms | median, ms | p99, ms |\n|"
            + "---|---|---|---|---|---|\n");
    loads.forEach((system, all) ->
        all.forEach((users, some) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "| %d | %s | %,.0f | %.2f | %.1f | %.1f |\n",
                    users,
                    system.id(),
                    median(some, Load::requests),
                    median(some, Load::cpuMs),
                    median(some, Load::medianMs),
                    median(some, Load::p99Ms)))));
    text.append("\n| server | fresh, MB | 1,000 idle | and 200 active |\n|---|---|---|---|\n");
    memories.forEach((system, memory) ->
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f |\n",
                system.id(),
                memory.fresh(),
                memory.idle(),
                memory.active())));
    return text.toString();
  }

  private static double median(List<Load> some, ToDoubleFunction<Load> figure) {
    var sorted = some.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
