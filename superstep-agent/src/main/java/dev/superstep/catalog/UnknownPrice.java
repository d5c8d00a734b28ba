package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;

/// Nobody knows what a model call costs, and [CostPolicy#FAIL] was asked for.
public final class UnknownPrice extends SuperstepException {
  UnknownPrice(String reason) {
    super(
        "catalog.unknown-price",
        reason + " Give its price in a CatalogOverride, or allow CostPolicy.UNPRICED.");
  }
}
