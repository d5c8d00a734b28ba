package dev.superstep.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is measured, in order. Immutable.
///
/// @param rounds how often each system does each case, interleaved with the others
/// @param repetitions how often a case is repeated in a child, after its warm-up
/// @param warmUp how long that is, for each way in which a case is done
record Plan(List<Cell> cells, int rounds, int repetitions, Duration warmUp) {
  /// One case of one workload, and who does it.
  record Cell(String workload, String name, Set<Contender> systems) {
    Cell {
      systems = Set.copyOf(systems);
    }
  }

  /// A workload as tables show it.
  ///
  /// @param against the limit's variant that everything is compared with, or empty for the one of
  ///   the same name
  /// @param metrics those that the summary shows
  record Workload(String title, String against, List<String> metrics) {
    Workload {
      metrics = List.copyOf(metrics);
    }
  }

  static final Map<String, Workload> WORKLOADS = workloads();

  private static final int QUICK_ROUNDS = 1;
  private static final int QUICK_REPETITIONS = 5;
  private static final Duration QUICK_WARM_UP = Duration.ofMillis(1_500);
  private static final int FULL_ROUNDS = 3;
  private static final int FULL_REPETITIONS = 10;
  private static final Duration FULL_WARM_UP = Duration.ofSeconds(4);

  private static final Set<Contender> OURS = EnumSet.of(Contender.LIMIT, Contender.SUPERSTEP);
  private static final Set<Contender> ALL = EnumSet.allOf(Contender.class);
  private static final Set<Contender> KEEPING = without(ALL, Contender.ADK);

  Plan {
    cells = List.copyOf(cells);
  }

  static Plan of(Options options) {
    var cells =
        (options.quick() ? quick() : full())
            .stream().filter(cell -> options.wants(cell.workload())).toList();
    return options.quick()
        ? new Plan(cells, QUICK_ROUNDS, QUICK_REPETITIONS, QUICK_WARM_UP)
        : new Plan(cells, FULL_ROUNDS, FULL_REPETITIONS, FULL_WARM_UP);
  }

  private static Map<String, Workload> workloads() {
    var all = new LinkedHashMap<String, Workload>();
    all.put("W1", new Workload("Sequential supersteps", "inline", List.of("us_per_step")));
    all.put("W2", new Workload("Fan-out into one list", "all-vthread", List.of("us_per_send")));
    all.put(
        "W3",
        new Workload(
            "A conversation that grows by 1 KiB a superstep",
            "delta",
            List.of("wall_ms", "growth", "disk_bytes")));
    return all;
  }

  private static List<Cell> quick() {
    var cells = new ArrayList<Cell>();
    cells.add(new Cell("W1", "loop-10000", OURS));
    cells.add(new Cell("W1", "chain-10-1000", OURS));
    for (int sends : List.of(10, 100, 1_000, 10_000)) {
      cells.add(new Cell("W2", "sends-" + sends, OURS));
    }
    for (var store : List.of("none", "memory", "sqlite", "postgres")) {
      cells.add(new Cell("W3", store + "-1000", OURS));
    }
    cells.add(new Cell("W3", "memory-5000", OURS));
    cells.add(new Cell("W3", "sqlite-5000", OURS));
    return cells;
  }

  private static List<Cell> full() {
    var cells = new ArrayList<Cell>();
    cells.add(new Cell("W1", "loop-10000", ALL));
    cells.add(new Cell("W1", "chain-10-1000", ALL));
    for (int sends : List.of(10, 100, 1_000, 10_000)) {
      cells.add(new Cell("W2", "sends-" + sends, ALL));
    }
    for (var store : List.of("none", "memory", "sqlite", "postgres")) {
      cells.add(new Cell("W3", store + "-1000", store.equals("postgres") ? OURS : KEEPING));
      cells.add(new Cell("W3", store + "-5000", OURS));
    }
    return cells;
  }

  private static Set<Contender> without(Set<Contender> all, Contender one) {
    var rest = EnumSet.copyOf(all);
    rest.remove(one);
    return rest;
  }
}
