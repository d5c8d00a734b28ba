package dev.superstep.catalog;

/// Hears what happens at a [LiveCatalog], on the thread on which it happens. What it throws is
/// logged and harms nobody.
@FunctionalInterface
public interface CatalogListener {
  void on(CatalogEvent event);
}
