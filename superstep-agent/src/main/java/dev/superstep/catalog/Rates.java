package dev.superstep.catalog;

import java.util.Optional;

/// The prices per million tokens, by kind of token. Immutable.
///
/// @param input tokens of the prompt that were neither read from a cache nor written to it
/// @param cachedInput tokens that were read from a cache; without it they cost what input costs
/// @param cacheWrite tokens that were written to a cache; without it they cost what input costs
/// @param output tokens of the reply, reasoning included
public record Rates(
    Optional<Rate> input,
    Optional<Rate> cachedInput,
    Optional<Rate> cacheWrite,
    Optional<Rate> output) {
  /// No price is known.
  static final Rates NONE =
      new Rates(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
