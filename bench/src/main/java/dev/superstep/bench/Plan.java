package dev.superstep.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What is measured, in order. Immutable.
///
/// @param rounds how often each system does a case, interleaved with the others, if it is one of
///   those that depend on how a process happens to be compiled
/// @param repetitions how often a case is repeated in a child, after its warm-up
/// @param warmUp how long that is at most, for each way in which a case is done
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
  /// @param each whether its variants are things of their own, or ways to do one thing, of which
  ///   the summary shows the fastest
  /// @param metrics those that the summary shows
  record Workload(String title, String against, boolean each, List<String> metrics) {
    Workload {
      metrics = List.copyOf(metrics);
    }

    /// Whether others are compared with this variant of the limit.
    boolean isCompared(String variant) {
      return against.isEmpty() || against.equals(variant);
    }
  }

  static final Map<String, Workload> WORKLOADS = workloads();

  static Workload workload(String id) {
    return Objects.requireNonNull(WORKLOADS.get(id), id);
  }

  private static final int QUICK_REPETITIONS = 5;
  private static final Duration QUICK_WARM_UP = Duration.ofMillis(1_500);
  private static final Duration BRIEF_WARM_UP = Duration.ofSeconds(12);
  private static final int FULL_ROUNDS = 2;
  private static final int FULL_REPETITIONS = 10;
  // What passes much code, as a kept run does, is compiled for so long.
  private static final Duration FULL_WARM_UP = Duration.ofSeconds(30);

  // Those that are over quickly, and differ most between processes.
  private static final Set<String> REPEATED = Set.of("W1", "W2", "W4", "W6", "W7", "W11");

  private static final Set<Contender> OURS = EnumSet.of(Contender.LIMIT, Contender.SUPERSTEP);
  private static final Set<Contender> AGENTS =
      EnumSet.of(
          Contender.LIMIT, Contender.SUPERSTEP, Contender.LANGCHAIN4J, Contender.LANGGRAPHJS);
  private static final Set<Contender> WITH_MODELS =
      EnumSet.of(
          Contender.LIMIT,
          Contender.SUPERSTEP,
          Contender.LANGCHAIN4J,
          Contender.ADK,
          Contender.LANGGRAPHJS,
          Contender.LANGGRAPH);
  // LangChain4j has agents and no graphs.
  private static final Set<Contender> ALL =
      EnumSet.complementOf(EnumSet.of(Contender.LANGCHAIN4J, Contender.GUARDED_LIMIT));
  private static final Set<Contender> ON_JVM =
      without(without(ALL, Contender.LANGGRAPHJS), Contender.LANGGRAPH);
  // The nearest of the peers, where nobody asked for others.
  private static final Set<Contender> QUICK =
      EnumSet.of(Contender.LIMIT, Contender.SUPERSTEP, Contender.LANGGRAPH4J);
  private static final Set<Contender> KEEPING = without(ALL, Contender.ADK);

  Plan {
    cells = List.copyOf(cells);
  }

  static Plan of(Options options) {
    var cells =
        (options.quick()
                ? quick(options.systemsNamed() ? ALL : QUICK)
                : full(options.brief() ? OURS : ON_JVM))
            .stream().filter(cell -> options.wants(cell.workload())).toList();
    if (options.quick()) {
      return new Plan(cells, 1, QUICK_REPETITIONS, options.warmUp().orElse(QUICK_WARM_UP));
    }
    return options.brief()
        ? new Plan(cells, 1, QUICK_REPETITIONS, options.warmUp().orElse(BRIEF_WARM_UP))
        : new Plan(cells, FULL_ROUNDS, FULL_REPETITIONS, options.warmUp().orElse(FULL_WARM_UP));
  }

  /// Returns true if more of a metric is better.
  static boolean isRate(String metric) {
    return metric.endsWith("_per_s");
  }

  /// How often a system does a case.
  int rounds(Cell cell, Contender system) {
    return system.isPeer() || !REPEATED.contains(cell.workload()) ? 1 : rounds;
  }

  /// As one system does it: peers are far enough away to be measured less often.
  Plan by(Contender system) {
    if (!system.isPeer() || repetitions <= QUICK_REPETITIONS) return this;
    return new Plan(cells, rounds, QUICK_REPETITIONS, warmUp);
  }

  private static Map<String, Workload> workloads() {
    var all = new LinkedHashMap<String, Workload>();
    all.put("W1", ways("Sequential supersteps", "inline", "us_per_step"));
    all.put("W2", ways("Fan-out into one list", "all-vthread", "us_per_send"));
    all.put(
        "W3",
        ways(
            "A conversation that grows by 1 KiB a superstep",
            "delta",
            "wall_ms",
            "growth",
            "disk_bytes"));
    all.put(
        "W4", ways("Many runs at once that wait", "vthread", "wall_ms", "cancel_ms", "peak_bytes"));
    all.put(
        "W5",
        ways(
            "Threads that wait for an answer",
            "rows",
            "us_per_park",
            "us_per_resume",
            "heap_bytes_per_thread"));
    all.put("W6", each("From nothing to the first line", "", "ms"));
    all.put("W7", each("Watched runs", "none", "us_per_step", "slowdown"));
    all.put("W8", ways("An agent that calls a tool 100 times", "loop", "us_per_call"));
    all.put(
        "W9",
        each(
            "A state of 25 channels of 5 KB",
            "",
            "us_per_step",
            "alloc_bytes_per_step",
            "disk_bytes"));
    all.put("W10", ways("A thread of many checkpoints", "rows", "us_per_resume", "us_per_page"));
    all.put("W11", ways("A typed flow of ten steps", "calls", "us_per_step"));
    all.put(
        "W12",
        ways(
            "Many agents at once over a slow model",
            "requests",
            "wall_ms",
            "platform_threads",
            "cancel_ms"));
    all.put(
        "W13", each("A state of ten JSON documents", "", "us_per_step", "alloc_bytes_per_step"));
    all.put(
        "W14",
        ways("Runs of ten steps by many threads", "rows", "runs_per_s", "run_us", "run_p99_us"));
    all.put("W15", each("The first run in a new process", "", "ms", "run_ms"));
    return all;
  }

  private static Workload ways(String title, String against, String... metrics) {
    return new Workload(title, against, false, List.of(metrics));
  }

  private static Workload each(String title, String against, String... metrics) {
    return new Workload(title, against, true, List.of(metrics));
  }

  /// @param systems who takes part where it can
  private static List<Cell> quick(Set<Contender> systems) {
    var cells = new ArrayList<Cell>();
    cells.add(new Cell("W1", "loop-10000", systems));
    cells.add(new Cell("W1", "chain-10-1000", OURS));
    for (int sends : List.of(10, 1_000, 10_000)) cells.add(new Cell("W2", "sends-" + sends, OURS));
    cells.add(new Cell("W2", "sends-100", systems));
    for (var store : List.of("none", "memory", "sqlite", "postgres")) {
      cells.add(new Cell("W3", store + "-1000", kept(store, OURS)));
    }
    cells.add(new Cell("W3", "sqlite-5000", kept("sqlite", OURS)));
    rest(cells, OURS, systems);
    return cells;
  }

  /// @param fanning who takes part in the largest fan-out, for which some peers need minutes
  private static List<Cell> full(Set<Contender> fanning) {
    var cells = new ArrayList<Cell>();
    cells.add(new Cell("W1", "loop-10000", ALL));
    cells.add(new Cell("W1", "chain-10-1000", ALL));
    for (int sends : List.of(10, 100, 1_000)) cells.add(new Cell("W2", "sends-" + sends, ALL));
    cells.add(new Cell("W2", "sends-10000", fanning));
    for (var store : List.of("none", "memory", "sqlite", "postgres")) {
      var able = store.equals("postgres") ? OURS : KEEPING;
      cells.add(new Cell("W3", store + "-1000", kept(store, able)));
      // Peers that keep the whole state each time need gigabytes for it.
      cells.add(new Cell("W3", store + "-5000", kept(store, OURS)));
    }
    cells.add(new Cell("W7", "idle-10000", OURS));
    rest(cells, KEEPING, ALL);
    return cells;
  }

  /// @param keeping who of those that can keep threads takes part
  private static void rest(List<Cell> cells, Set<Contender> keeping, Set<Contender> systems) {
    cells.add(new Cell("W4", "runs-1000-5-20", systems));
    cells.add(new Cell("W5", "memory-10000", kept("memory", keeping)));
    cells.add(new Cell("W5", "sqlite-1000", kept("sqlite", keeping)));
    cells.add(new Cell("W6", "version", OURS));
    cells.add(new Cell("W6", "run", OURS));
    cells.add(new Cell("W6", "program", ALL));
    cells.add(new Cell("W7", "busy-1000", OURS));
    cells.add(new Cell("W8", "none-100", AGENTS));
    cells.add(new Cell("W8", "none-500", without(AGENTS, Contender.LANGGRAPHJS)));
    cells.add(new Cell("W8", "memory-100", selected(systems)));
    for (var store : List.of("none", "memory", "sqlite")) {
      cells.add(new Cell("W9", store + "-200", kept(store, keeping)));
    }
    cells.add(new Cell("W11", "none-1000", OURS));
    cells.add(new Cell("W11", "memory-200", OURS));
    cells.add(new Cell("W12", "agents-1000-200", OURS));
    cells.add(new Cell("W10", "memory-10000", kept("memory", OURS)));
    cells.add(new Cell("W10", "sqlite-10000", kept("sqlite", OURS)));
    documents(cells, keeping);
    shortRuns(cells, keeping);
    firstRuns(cells, systems);
  }

  /// Documents of 1, 5 and 40 KB.
  private static void documents(List<Cell> cells, Set<Contender> keeping) {
    for (var size : List.of("200-1", "200-8", "50-80")) {
      for (var store : List.of("memory", "sqlite")) {
        cells.add(new Cell("W13", store + "-" + size, kept(store, keeping)));
      }
    }
    cells.add(new Cell("W13", "none-200-8", keeping));
    cells.add(new Cell("W13", "postgres-200-8", kept("postgres", OURS)));
  }

  private static void shortRuns(List<Cell> cells, Set<Contender> keeping) {
    for (int callers : List.of(1, 8, 64)) {
      cells.add(new Cell("W14", "memory-" + callers, kept("memory", keeping)));
      cells.add(new Cell("W14", "sqlite-" + callers, kept("sqlite", keeping)));
      cells.add(new Cell("W14", "postgres-" + callers, kept("postgres", OURS)));
    }
  }

  private static void firstRuns(List<Cell> cells, Set<Contender> systems) {
    for (var program : List.of("one", "chain", "fanout", "memory")) {
      cells.add(new Cell("W15", program, systems));
    }
    cells.add(new Cell("W15", "sqlite", without(systems, Contender.ADK)));
    cells.add(new Cell("W15", "agent", systems.equals(OURS) ? OURS : WITH_MODELS));
    cells.add(new Cell("W15", "flow", OURS));
  }

  /// With the limit with guarantees, if anything is kept.
  private static Set<Contender> kept(String store, Set<Contender> systems) {
    if (store.equals("none")) return systems;
    var all = EnumSet.copyOf(systems);
    all.add(Contender.GUARDED_LIMIT);
    return all;
  }

  /// Those of the agents that keep theirs.
  private static Set<Contender> selected(Set<Contender> systems) {
    return systems.contains(Contender.LANGGRAPHJS) ? without(AGENTS, Contender.LANGCHAIN4J) : OURS;
  }

  private static Set<Contender> without(Set<Contender> all, Contender one) {
    var rest = EnumSet.copyOf(all);
    rest.remove(one);
    return rest;
  }
}
