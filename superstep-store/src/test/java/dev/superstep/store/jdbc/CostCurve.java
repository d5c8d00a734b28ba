package dev.superstep.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// The costs of some work at sizes each of which is twice the one before.
///
/// @param sizes at least three
record CostCurve(String name, List<Integer> sizes, List<CostMeter.Cost> costs) {
  // Below, differences are those of a few buffers or pages.
  private static final long BYTES_MIN = 40_000;
  private static final long DATABASE_MIN = 40;

  double bytes() {
    return exponent(CostMeter.Cost::bytes, BYTES_MIN);
  }

  double database() {
    return exponent(CostMeter.Cost::database, DATABASE_MIN);
  }

  double time() {
    return exponent(CostMeter.Cost::micros, 1);
  }

  /// The exponent with which a cost grows: 0 is constant, 1 in proportion, 2 with the square. It is
  /// that of what the doublings add, so that a fixed cost does not hide it.
  ///
  /// @param least additions below this are not looked at
  private double exponent(ToLongFunction<CostMeter.Cost> part, long least) {
    var added = new ArrayList<Long>();
    for (int i = 1; i < costs.size(); i++) {
      added.add(part.applyAsLong(costs.get(i)) - part.applyAsLong(costs.get(i - 1)));
    }
    long late = added.getLast();
    // Nothing that grows is to be seen.
    if (late < Math.max(least, part.applyAsLong(costs.getLast()) / 20)) return 0;
    long early = Math.max(1, added.getFirst());
    return Math.log((double) late / early) / Math.log(2) / (added.size() - 1);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s at %s: bytes %.2f %s, database %.2f %s, CPU %.2f %s us",
        name,
        sizes,
        bytes(),
        all(CostMeter.Cost::bytes),
        database(),
        all(CostMeter.Cost::database),
        time(),
        all(CostMeter.Cost::micros));
  }

  private List<Long> all(ToLongFunction<CostMeter.Cost> part) {
    return costs.stream().map(part::applyAsLong).toList();
  }
}
