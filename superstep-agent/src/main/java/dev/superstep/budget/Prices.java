package dev.superstep.budget;

import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.Optional;

/// Says what a call of a model costs, in the currency of the budget. Safe for many threads.
@FunctionalInterface
public interface Prices {
  /// What this use costs, or empty if nobody knows.
  Optional<BigDecimal> cost(ModelRef model, Usage usage);

  /// Nothing has a known price.
  static Prices unknown() {
    return (_, _) -> Optional.empty();
  }
}
