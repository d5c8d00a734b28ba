package dev.superstep.budget;

import dev.superstep.model.Usage;
import java.math.BigDecimal;

/// The amount that model calls have used, or may use at most.
///
/// @param calls how often a model was asked, failed attempts included
/// @param cost in the currency of the budget; what has no price is not in it
public record Spend(long calls, Usage usage, BigDecimal cost) {
  /// Nothing.
  public static final Spend NONE = new Spend(0, Usage.NONE, BigDecimal.ZERO);

  /// Both together.
  public Spend plus(Spend other) {
    return new Spend(calls + other.calls, usage.plus(other.usage), cost.add(other.cost));
  }

  /// This without the other, of which it is the sum with something else.
  Spend minus(Spend other) {
    var less = other.usage;
    var left =
        new Usage(
            usage.input() - less.input(),
            usage.cachedInput() - less.cachedInput(),
            usage.cacheWrite() - less.cacheWrite(),
            usage.output() - less.output(),
            usage.reasoning() - less.reasoning(),
            usage.estimated());
    return new Spend(calls - other.calls, left, cost.subtract(other.cost));
  }

  /// The part of this amount that exceeds the other.
  public Spend beyond(Spend other) {
    var has = other.usage;
    var more =
        new Usage(
            Math.max(0, usage.input() - has.input()),
            Math.max(0, usage.cachedInput() - has.cachedInput()),
            Math.max(0, usage.cacheWrite() - has.cacheWrite()),
            Math.max(0, usage.output() - has.output()),
            Math.max(0, usage.reasoning() - has.reasoning()),
            false);
    var money = cost.subtract(other.cost).max(BigDecimal.ZERO);
    return new Spend(Math.max(0, calls - other.calls), more, money);
  }
}
