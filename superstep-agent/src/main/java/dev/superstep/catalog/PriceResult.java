package dev.superstep.catalog;

/// What a model call costs, or why nobody knows. That a price is unknown does not mean that it is
/// nothing.
public sealed interface PriceResult {
  /// The price is known.
  record Known(Cost cost) implements PriceResult {}

  /// The price is not known.
  ///
  /// @param reason what is missing, as a sentence
  record Unpriced(String reason) implements PriceResult {}
}
