package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;

/// Amounts of two currencies were to be added.
public final class MixedCurrencies extends SuperstepException {
  private final Cost first;
  private final Cost second;

  MixedCurrencies(Cost first, Cost second) {
    super(
        "catalog.mixed-currencies",
        "%s and %s are of two currencies. Keep a sum for each, or convert one of them first."
            .formatted(first, second));
    this.first = first;
    this.second = second;
  }

  public Cost first() {
    return first;
  }

  public Cost second() {
    return second;
  }
}
