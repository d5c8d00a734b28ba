package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;

/// A [CatalogSource] gave no catalogue.
public final class CatalogUnavailable extends SuperstepException {
  CatalogUnavailable(String what, String then, Exception cause) {
    super(
        "catalog.unavailable",
        "%s: %s. %s".formatted(what, cause.getMessage() == null ? cause : cause.getMessage(), then),
        cause);
  }
}
