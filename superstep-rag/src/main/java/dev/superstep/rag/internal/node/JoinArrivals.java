package dev.superstep.rag.internal.node;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The sources of a join that have come, and when; as a write, those that are added and taken away.
/// Immutable.
///
/// @param taken the arrivals with which the join went on, of a write
/// @param missing the sources without which it went on
record JoinArrivals(List<Arrival> arrived, List<Arrival> taken, List<String> missing) {
  static final JoinArrivals NONE = new JoinArrivals(List.of(), List.of(), List.of());

  JoinArrivals {
    arrived = List.copyOf(arrived);
    taken = List.copyOf(taken);
    missing = List.copyOf(missing);
  }

  record Arrival(String source, Instant at) {}

  static JoinArrivals of(String source, Instant at) {
    return new JoinArrivals(List.of(new Arrival(source, at)), List.of(), List.of());
  }

  /// The write with which the join goes on.
  JoinArrivals without(List<String> others) {
    return new JoinArrivals(List.of(), arrived, others);
  }

  /// The arrivals that are there after a write. An arrival that the join had not seen stays for its
  /// next turn.
  JoinArrivals and(JoinArrivals write) {
    var all = new ArrayList<>(arrived);
    all.addAll(write.arrived);
    write.taken.forEach(all::remove);
    return new JoinArrivals(all, List.of(), write.taken.isEmpty() ? missing : write.missing);
  }

  /// The sources that have not come.
  List<String> absent(List<String> sources) {
    var came = firsts().keySet();
    return sources.stream().filter(source -> !came.contains(source)).toList();
  }

  /// The sources that came too late, counted from the first that came.
  List<String> late(Duration timeout) {
    var firsts = firsts();
    var first = firsts.values().stream().min(Instant::compareTo);
    if (first.isEmpty()) return List.of();
    var deadline = first.get().plus(timeout);
    return firsts.entrySet().stream()
        .filter(entry -> entry.getValue().isAfter(deadline))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Map<String, Instant> firsts() {
    var firsts = new LinkedHashMap<String, Instant>();
    for (var each : arrived) firsts.merge(each.source(), each.at(), (a, b) -> a.isAfter(b) ? b : a);
    return firsts;
  }
}
