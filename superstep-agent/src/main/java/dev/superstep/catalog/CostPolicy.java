package dev.superstep.catalog;

/// The policy for a model call whose price is unknown.
public enum CostPolicy {
  /// The call continues, and its cost is reported as unknown.
  UNPRICED,
  /// It fails.
  FAIL;

  /// Applies the policy: returns the price, or throws.
  ///
  /// @throws UnknownPrice if the policy is [#FAIL] and the price is not known
  public PriceResult apply(PriceResult priced) {
    return switch (priced) {
      case PriceResult.Known known -> known;
      case PriceResult.Unpriced(var reason) -> {
        if (this == FAIL) throw new UnknownPrice(reason);
        yield priced;
      }
    };
  }
}
