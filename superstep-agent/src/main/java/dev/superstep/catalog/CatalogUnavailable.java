package dev.superstep.catalog;

import dev.superstep.json.SuperstepException;

/// A [CatalogSource] gave no catalogue.
public final class CatalogUnavailable extends SuperstepException {
  private static final long serialVersionUID = 1L;

  CatalogUnavailable(String what, String then, Exception cause) {
    super(
        "catalog.unavailable",
        "%s: %s. %s".formatted(what, cause.getMessage() == null ? cause : cause.getMessage(), then),
        cause);
  }
}
