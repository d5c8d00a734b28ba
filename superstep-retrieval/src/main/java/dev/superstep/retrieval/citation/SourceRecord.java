package dev.superstep.retrieval.citation;

import java.util.List;

/// The sources that an agent retrieved, saved with its thread. Immutable.
///
/// @param run the run that `inRun` is of
/// @param earlier the sources of earlier runs, the newest last
record SourceRecord(String run, CitableSources inRun, CitableSources earlier) {
  static final SourceRecord NONE = new SourceRecord("", CitableSources.NONE, CitableSources.NONE);

  private static final int SOURCES_MAX = 2_000;

  SourceRecord {
    earlier = newest(earlier);
    inRun = newest(inRun);
  }

  /// Returns what is known after another search, also one that ran at the same time.
  SourceRecord and(SourceRecord next) {
    if (next.run.equals(run)) {
      return new SourceRecord(run, inRun.and(next.inRun), earlier.and(next.earlier));
    }
    return new SourceRecord(next.run, next.inRun, earlier.and(inRun).and(next.earlier));
  }

  private static CitableSources newest(CitableSources sources) {
    List<CitableSource> all = sources.citableSources();
    if (all.size() <= SOURCES_MAX) return sources;
    return new CitableSources(all.subList(all.size() - SOURCES_MAX, all.size()));
  }
}
