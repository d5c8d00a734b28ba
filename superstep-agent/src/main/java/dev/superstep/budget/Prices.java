package dev.superstep.budget;

import dev.superstep.catalog.ModelCatalog;
import dev.superstep.catalog.PriceResult;
import dev.superstep.catalog.Tokens;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Optional;

/// Says what a call of a model costs, in the currency of the budget. Safe for many threads.
@FunctionalInterface
public interface Prices {
  /// The cost of this use, or empty if it is unknown.
  Optional<BigDecimal> cost(ModelRef model, Usage usage);

  /// The cost of this use in a batch of the vendor, or empty if it is unknown. Half of the usual
  /// cost, which is what vendors ask for batches, unless implemented.
  default Optional<BigDecimal> batchCost(ModelRef model, Usage usage) {
    return cost(model, usage).map(cost -> cost.divide(BigDecimal.TWO));
  }

  /// The prices of a catalogue, as they are when a call is made. A price in another currency counts
  /// as unknown.
  ///
  /// @param currency that of the budget, an ISO code
  static Prices of(ModelCatalog catalog, String currency, InstantSource clock) {
    return (model, usage) -> {
      var tokens =
          new Tokens(usage.input(), usage.cachedInput(), usage.cacheWrite(), usage.output());
      return switch (catalog.price(model, tokens, clock.instant())) {
        case PriceResult.Known(var cost) when cost.currency().equals(currency) ->
            Optional.of(cost.amount());
        case PriceResult.Known _, PriceResult.Unpriced _ -> Optional.empty();
      };
    };
  }

  /// Nothing has a known price.
  static Prices unknown() {
    return (_, _) -> Optional.empty();
  }
}
