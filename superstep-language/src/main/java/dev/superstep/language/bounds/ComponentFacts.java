package dev.superstep.language.bounds;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/// The facts about registered components that bound a run. Whoever knows none of them gives
/// [#NONE]; then what they would bound is unbounded.
public interface ComponentFacts {
  /// No facts.
  ComponentFacts NONE = new ComponentFacts() {};

  /// The limits of a registered agent; empty if nothing is known of it.
  default Optional<Limits> agent(String name) {
    return Optional.empty();
  }

  /// The most tokens of one call of a model, prompt and answer together.
  default OptionalLong tokens(String model) {
    return OptionalLong.empty();
  }

  /// The most that one call of a model costs, in US dollars.
  default Optional<BigDecimal> cost(String model) {
    return Optional.empty();
  }
}
