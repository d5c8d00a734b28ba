package dev.superstep.catalog;

import java.time.LocalDate;
import java.util.List;

/// An event of a [LiveCatalog]. Each kind has a stable name.
public sealed interface CatalogEvent {
  /// A stable name such as `catalog.lookup_hit`.
  default String name() {
    return switch (this) {
      case SnapshotLoaded _ -> "catalog.snapshot_loaded";
      case SnapshotFailed _ -> "catalog.snapshot_failed";
      case LookupHit _ -> "catalog.lookup_hit";
      case LookupMissed _ -> "catalog.lookup_missed";
      case Stale _ -> "catalog.stale";
      case OverrideApplied _ -> "catalog.override_applied";
      case RefreshStarted _ -> "catalog.refresh_started";
      case RefreshCompleted _ -> "catalog.refresh_completed";
      case RefreshFailed _ -> "catalog.refresh_failed";
    };
  }

  /// A catalogue is there.
  record SnapshotLoaded(LocalDate date, int models) implements CatalogEvent {}

  /// The first catalogue could not be loaded.
  record SnapshotFailed(String message) implements CatalogEvent {}

  /// A model was found.
  ///
  /// @param provider and `model`: what was asked for
  /// @param entry the id of what was found
  record LookupHit(String provider, String model, String entry, CatalogMatch.Via via)
      implements CatalogEvent {}

  /// A model was not found.
  record LookupMissed(String provider, String model) implements CatalogEvent {}

  /// The catalogue is older than it should be. Told once for each catalogue.
  record Stale(LocalDate date) implements CatalogEvent {}

  /// An override lies over the catalogue.
  ///
  /// @param parts what it changes
  record OverrideApplied(String layer, String provider, String model, List<String> parts)
      implements CatalogEvent {
    public OverrideApplied {
      parts = List.copyOf(parts);
    }
  }

  /// A newer catalogue is being fetched.
  record RefreshStarted(LocalDate before) implements CatalogEvent {}

  /// A newer catalogue took the place of the one before.
  record RefreshCompleted(LocalDate date, CatalogDiff diff) implements CatalogEvent {}

  /// The catalogue stays as it was.
  record RefreshFailed(String message) implements CatalogEvent {}
}
