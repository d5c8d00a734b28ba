package dev.superstep.goal;

import dev.superstep.budget.Spend;
import dev.superstep.model.Usage;

/// Of two counts of the same spending, what either has seen.
final class MergedSpending {
  private MergedSpending() {}

  static Spend greater(Spend one, Spend other) {
    return new Spend(
        Math.max(one.calls(), other.calls()),
        greater(one.usage(), other.usage()),
        one.cost().max(other.cost()));
  }

  private static Usage greater(Usage one, Usage other) {
    return new Usage(
        Math.max(one.input(), other.input()),
        Math.max(one.cachedInput(), other.cachedInput()),
        Math.max(one.cacheWrite(), other.cacheWrite()),
        Math.max(one.output(), other.output()),
        Math.max(one.reasoning(), other.reasoning()),
        one.estimated() || other.estimated());
  }
}
