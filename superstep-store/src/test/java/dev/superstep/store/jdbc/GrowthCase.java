package dev.superstep.store.jdbc;

import dev.superstep.graph.Graph;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Work whose cost grows with one number, and with nothing else.
///
/// @param reach where it is measured
/// @param small its largest size in the gate
/// @param large its largest size in the long tests
record GrowthCase(String name, Reach reach, int small, int large, Preparation preparation) {
  /// The places in which work is measured.
  enum Reach {
    /// In every place, and by each durability.
    RUNS,
    /// In every store, and by each durability.
    STORED_RUNS,
    /// In every store.
    STORES,
    /// Once; it uses no store.
    ONCE
  }

  /// Does what is not measured, and returns what is.
  interface Preparation {
    Work of(GrowthPlace place, int size) throws Exception;
  }

  /// Work that is measured.
  interface Work {
    void run() throws Exception;
  }

  /// Measures sizes that double up to one.
  ///
  /// @param many how many sizes
  CostCurve measured(int largest, int many, Places places) throws Exception {
    var sizes = new ArrayList<Integer>();
    for (int i = many - 1; i >= 0; i--) sizes.add(Math.max(1, largest >> i));
    // Loads what the first use needs, some of it only at this size.
    cost(largest, places);
    var costs = new ArrayList<CostMeter.Cost>();
    for (int size : sizes) costs.add(cost(size, places));
    return new CostCurve(name, List.copyOf(sizes), costs);
  }

  @Override
  public String toString() {
    return name;
  }

  /// Makes fresh places.
  interface Places {
    GrowthPlace open(Path folder);
  }

  private CostMeter.Cost cost(int size, Places places) throws Exception {
    var folder = Files.createTempDirectory("growth");
    try (var place = places.open(folder)) {
      var work = preparation.of(place, size);
      var before = place.meter().now();
      work.run();
      return place.meter().now().since(before);
    } finally {
      try (var files = Files.list(folder)) {
        for (var file : files.toList()) Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  /// Work that runs a graph to its end.
  static Work run(Graph graph, GrowthPlace place) {
    return () -> completed(graph.invoke(Input.none(), place.options()));
  }

  static State completed(Outcome outcome) {
    if (outcome instanceof Outcome.Completed(var state)) return state;
    throw new AssertionError("ended otherwise: " + outcome);
  }

  static Outcome.Interrupted asked(Outcome outcome) {
    if (outcome instanceof Outcome.Interrupted asked) return asked;
    throw new AssertionError("ended otherwise: " + outcome);
  }

  static Outcome resumed(Graph graph, GrowthPlace place, Answers answers) throws Exception {
    return graph.resume(answers, place.options());
  }
}
