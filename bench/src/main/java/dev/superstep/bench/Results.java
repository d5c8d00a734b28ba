package dev.superstep.bench;

import dev.superstep.bench.Plan.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// All that was measured, over all rounds. One thread at a time.
final class Results {
  private final Map<Key, Found> found = new LinkedHashMap<>();
  private final Map<Missing, String> missing = new LinkedHashMap<>();

  /// What a value is of.
  record Key(String workload, String name, String system, String variant, String metric) {
    Key of(String otherSystem, String otherVariant) {
      return new Key(workload, name, otherSystem, otherVariant, metric);
    }
  }

  /// A case that a system did not do.
  record Missing(String workload, String name, String system) {}

  /// A metric over all rounds.
  ///
  /// @param ratio to the limit, if that was measured too
  /// @param guardedRatio to the limit with guarantees, if that was measured too
  /// @param load the machine's, in the median of the rounds
  record Row(
      Key key,
      double least,
      double median,
      double p99,
      int samples,
      Optional<Double> ratio,
      Optional<Double> guardedRatio,
      String wrong,
      double load) {}

  private static final class Found {
    private final List<Double> values = new ArrayList<>();
    private final List<Double> loads = new ArrayList<>();
    private String wrong = "";
  }

  void add(List<Sample> samples, double load) {
    for (var sample : samples) {
      var key =
          new Key(
              sample.workload(), sample.name(), sample.system(), sample.variant(), sample.metric());
      var at = found.computeIfAbsent(key, _ -> new Found());
      at.values.addAll(sample.values());
      at.loads.add(load);
      if (at.wrong.isEmpty()) at.wrong = sample.wrong();
    }
  }

  void notRun(Cell cell, Contender system, String reason) {
    missing.putIfAbsent(new Missing(cell.workload(), cell.name(), system.id()), reason);
  }

  /// Whether it did not work in an earlier round.
  boolean isGivenUp(Cell cell, Contender system) {
    return missing.containsKey(new Missing(cell.workload(), cell.name(), system.id()));
  }

  /// Whether every result was right, and Superstep and the limit did all they were asked to.
  boolean isAllRight() {
    return found.values().stream().allMatch(at -> at.wrong.isEmpty())
        && missing.keySet().stream()
            .flatMap(at -> Contender.named(at.system()).stream())
            .allMatch(Contender::isPeer);
  }

  Map<Missing, String> missing() {
    return Collections.unmodifiableMap(missing);
  }

  /// In the order in which they were measured first.
  List<Row> rows() {
    var medians = new HashMap<Key, Double>();
    found.forEach((key, at) -> medians.put(key, quantile(at.values, 0.5)));
    var rows = new ArrayList<Row>();
    found.forEach((key, at) ->
        rows.add(
            new Row(
                key,
                Collections.min(at.values),
                quantile(at.values, 0.5),
                quantile(at.values, 0.99),
                at.values.size(),
                ratio(key, Contender.LIMIT, medians),
                ratio(key, Contender.GUARDED_LIMIT, medians),
                at.wrong,
                quantile(at.loads, 0.5))));
    return rows;
  }

  private static Optional<Double> ratio(Key key, Contender limit, Map<Key, Double> medians) {
    var against = Plan.workload(key.workload()).against();
    var variant = against.isEmpty() ? key.variant() : against;
    return Optional.ofNullable(medians.get(key.of(limit.id(), variant)))
        .filter(of -> of > 0 && !key.metric().startsWith("warm_up"))
        .map(of -> Objects.requireNonNull(medians.get(key)) / of)
        .map(ratio -> Plan.isRate(key.metric()) ? 1 / ratio : ratio);
  }

  /// The nearest rank.
  static double quantile(List<Double> values, double part) {
    var sorted = values.stream().sorted().toList();
    int rank = (int) Math.ceil(part * sorted.size());
    return sorted.get(Math.max(0, rank - 1));
  }
}
