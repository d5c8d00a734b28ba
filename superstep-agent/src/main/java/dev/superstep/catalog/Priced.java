package dev.superstep.catalog;

/// What a model call costs, or why nobody knows. That a price is unknown does not mean that it is
/// nothing.
public sealed interface Priced {
  /// The price is known.
  record Known(Cost cost) implements Priced {}

  /// The price is not known.
  ///
  /// @param reason what is missing, as a sentence
  record Unpriced(String reason) implements Priced {}
}
