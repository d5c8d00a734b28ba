package dev.superstep.journal;

import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.json.Json;

/// The value of a projection of a journal, up to an offset. Immutable.
///
/// @param filter what of the journal it was made of
/// @param offset the last entry that it knows, wanted or not; or 0
/// @param last the id of that entry; empty if it was deleted
/// @see ThreadJournal#isStale
public record ProjectionResult<T>(
    Projection<T> projection,
    T value,
    String thread,
    EntryFilter filter,
    long offset,
    String last) {
  /// The version of the projection that made it.
  public int version() {
    return projection.version();
  }

  /// Returns this result as JSON, with which [ThreadJournal#project(Projection, Json)] can
  /// continue.
  public Json json() {
    var json = projection.codec().encode(value);
    return Json.of(new Cached(projection.name(), version(), thread, filter, offset, last, json));
  }

  record Cached(
      String projection,
      int version,
      String thread,
      EntryFilter filter,
      long offset,
      String last,
      Json value) {
    boolean isOf(Projection<?> wanted, ThreadJournal journal) {
      return projection.equals(wanted.name())
          && version == wanted.version()
          && thread.equals(journal.thread())
          && filter.equals(journal.filter());
    }
  }
}
