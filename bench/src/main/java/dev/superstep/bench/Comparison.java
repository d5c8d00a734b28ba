package dev.superstep.bench;

import dev.superstep.bench.Results.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/// The figures of all systems beside each other, in the lines of the summary. Immutable.
///
/// A line is a metric of a case that a summary shows; its key has no system, and no variant where
/// variants are only ways to do the same. Each system stands in it with its best variant.
final class Comparison {
  // The ratio of a system's own figures, which says nothing about another's.
  private static final Predicate<String> IS_OF_ONE_SYSTEM = List.of("growth", "slowdown")::contains;

  private final List<Row> rows;

  Comparison(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  /// A line in which a peer has the better figure.
  ///
  /// @param factor how much better: 2 is twice as good
  record PeerWin(Row superstep, Row peer, double factor) {}

  /// The lines of a workload.
  List<Results.Key> lines(String workload) {
    var metrics = Plan.workload(workload).metrics();
    var lines = new LinkedHashSet<Results.Key>();
    for (var row : rows) {
      if (row.key().workload().equals(workload) && metrics.contains(row.key().metric())) {
        lines.add(line(row.key()));
      }
    }
    return List.copyOf(lines);
  }

  private static Results.Key line(Results.Key key) {
    return key.of("", Plan.workload(key.workload()).each() ? key.variant() : "");
  }

  /// A system's best variant in a line; of a limit, the one that others are compared with.
  Optional<Row> best(Results.Key line, Contender system) {
    var about = Plan.workload(line.workload());
    return rows.stream()
        .filter(row -> line(row.key()).equals(line))
        .filter(row -> row.key().system().equals(system.id()))
        .filter(row -> !system.isLimit() || about.isCompared(row.key().variant()))
        .min(Comparator.comparingDouble(row -> cost(row)));
  }

  /// Superstep's row in each line of all workloads.
  List<Row> ofSuperstep() {
    return Plan.WORKLOADS.keySet().stream()
        .flatMap(workload -> lines(workload).stream())
        .flatMap(line -> best(line, Contender.SUPERSTEP).stream())
        .toList();
  }

  /// The lines in which a peer that was right has the better figure.
  List<PeerWin> peerWins() {
    var wins = new ArrayList<PeerWin>();
    for (var ours : ofSuperstep()) {
      if (IS_OF_ONE_SYSTEM.test(ours.key().metric())) continue;
      for (var system : Contender.values()) {
        if (!system.isPeer()) continue;
        best(line(ours.key()), system)
            .filter(theirs -> theirs.wrong().isEmpty() && cost(theirs) < cost(ours))
            .ifPresent(theirs -> wins.add(new PeerWin(ours, theirs, cost(ours) / cost(theirs))));
      }
    }
    return wins;
  }

  /// The best right figure of a peer in Superstep's line, if there is one.
  Optional<Row> nearestPeer(Row superstep) {
    return Arrays.stream(Contender.values())
        .filter(Contender::isPeer)
        .flatMap(system -> best(line(superstep.key()), system).stream())
        .filter(row -> row.wrong().isEmpty())
        .min(Comparator.comparingDouble(row -> cost(row)));
  }

  /// The course of the warm-up of a system's variant, if it had one.
  Optional<Row> warmUp(Row first, String metric) {
    var key = first.key();
    var of = new Results.Key(key.workload(), key.name(), key.system(), key.variant(), metric);
    return rows.stream().filter(row -> row.key().equals(of)).findFirst();
  }

  /// The rows that hold the first round of a warm-up.
  List<Row> firstRounds() {
    return rows.stream().filter(row -> row.key().metric().equals("first_us")).toList();
  }

  /// Less is better.
  static double cost(Row row) {
    Objects.requireNonNull(row);
    return Plan.isRate(row.key().metric()) ? 1 / row.median() : row.median();
  }
}
