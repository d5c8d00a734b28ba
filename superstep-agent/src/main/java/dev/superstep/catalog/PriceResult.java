package dev.superstep.catalog;

/// The cost of a model call, or the reason why it is unknown. An unknown price does not mean a
/// price of zero.
public sealed interface PriceResult {
  /// The price is known.
  record Known(Cost cost) implements PriceResult {}

  /// The price is not known.
  ///
  /// @param reason what is missing, as a sentence
  record Unpriced(String reason) implements PriceResult {}
}
