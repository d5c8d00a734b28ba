package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.retrieval.internal.Digests;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A single call of an indexer. One thread at a time.
///
/// The records always name every chunk that the index may have of a document, because they are
/// written both before and after the chunks. So the next call finds whatever a crash left.
final class IndexingRun {
  private static final String UNDER_WAY = "";

  private final VectorIndex index;
  private final Splitter splitter;
  private final IndexRecords records;
  private final Map<IndexingChange, List<String>> done = new EnumMap<>(IndexingChange.class);
  private List<String> strays = List.of();

  /// @param record as it is to be when the chunks are written
  /// @param before what was known of the document
  private record Change(
      IndexingChange kind, IndexRecord record, List<Chunk> chunks, List<String> before) {}

  IndexingRun(VectorIndex index, Splitter splitter, IndexRecords records) {
    this.index = index;
    this.splitter = splitter;
    this.records = records;
  }

  void bringUpToDate(List<Document> group) {
    var known = records.get(group.stream().map(Document::id).toList());
    var changes = new ArrayList<Change>();
    for (var document : group) {
      var change = change(document, known.get(document.id()));
      if (change.kind() == IndexingChange.SKIPPED) publish(change);
      else changes.add(change);
    }
    if (!changes.isEmpty()) write(changes);
  }

  void cleanUp(Collection<Document> documents, Cleanup cleanup) {
    var given = documents.stream().map(Document::id).collect(Collectors.toSet());
    switch (cleanup) {
      case NONE -> {}
      case BY_SOURCE -> {
        var sources = documents.stream().map(Document::source).collect(Collectors.toSet());
        delete(without(records.from(sources), given));
      }
      case FULL -> {
        delete(without(records.all(), given));
        deleteStrays();
      }
    }
  }

  IndexingReport report() {
    return new IndexingReport(
        of(IndexingChange.ADDED),
        of(IndexingChange.UPDATED),
        of(IndexingChange.SKIPPED),
        of(IndexingChange.REPAIRED),
        of(IndexingChange.DELETED),
        strays);
  }

  private Change change(Document document, @Nullable IndexRecord known) {
    var chunks = splitter.split(document);
    var ids = chunks.stream().map(Chunk::id).toList();
    var record = new IndexRecord(document.id(), document.source(), digest(document), ids);
    if (known == null) return new Change(IndexingChange.ADDED, record, chunks, List.of());
    IndexingChange kind;
    if (known.digest().equals(UNDER_WAY)) kind = IndexingChange.REPAIRED;
    else if (!known.digest().equals(record.digest())) kind = IndexingChange.UPDATED;
    else kind = isWhole(known, chunks) ? IndexingChange.SKIPPED : IndexingChange.REPAIRED;
    return new Change(kind, record, chunks, known.chunks());
  }

  /// Returns whether the index matches the record. Compares texts, because others may have written
  /// to the index.
  private boolean isWhole(IndexRecord known, List<Chunk> chunks) {
    var held = index.get(known.chunks());
    return held.size() == chunks.size()
        && chunks.stream().allMatch(chunk -> chunk.equals(held.get(chunk.id())));
  }

  private void write(List<Change> changes) {
    records.put(changes.stream().map(IndexingRun::pendingRecord).toList());
    var chunks = changes.stream().flatMap(change -> change.chunks().stream()).toList();
    index.add(chunks);
    var gone = new LinkedHashSet<String>();
    for (var change : changes) gone.addAll(change.before());
    for (var chunk : chunks) gone.remove(chunk.id());
    index.delete(gone);
    records.put(changes.stream().map(Change::record).toList());
    changes.forEach(this::publish);
  }

  private static IndexRecord pendingRecord(Change change) {
    var chunks = new LinkedHashSet<>(change.before());
    chunks.addAll(change.record().chunks());
    var record = change.record();
    return new IndexRecord(record.document(), record.source(), UNDER_WAY, List.copyOf(chunks));
  }

  private void delete(List<IndexRecord> stale) {
    // The index first: as long as there is a record, the next call tries again.
    index.delete(stale.stream().flatMap(record -> record.chunks().stream()).toList());
    records.delete(stale.stream().map(IndexRecord::document).toList());
    for (var record : stale) {
      var gone = new IndexRecord(record.document(), record.source(), UNDER_WAY, List.of());
      publish(new Change(IndexingChange.DELETED, gone, List.of(), List.of()));
    }
  }

  private void deleteStrays() {
    var known = new HashSet<String>();
    for (var record : records.all()) known.addAll(record.chunks());
    strays = index.ids(ChunkFilter.all()).stream().filter(id -> !known.contains(id)).toList();
    if (strays.isEmpty()) return;
    index.delete(strays);
    index.events().publish(new RetrievalEvent.StrayChunksDeleted(strays));
  }

  private void publish(Change change) {
    var document = change.record().document();
    done.computeIfAbsent(change.kind(), _ -> new ArrayList<>()).add(document);
    index
        .events()
        .publish(
            new RetrievalEvent.DocumentIndexed(document, change.kind(), change.chunks().size()));
  }

  private List<String> of(IndexingChange kind) {
    return done.getOrDefault(kind, List.of());
  }

  private static List<IndexRecord> without(List<IndexRecord> records, Set<String> given) {
    return records.stream()
        .filter(record -> !given.contains(record.document()))
        .sorted(Comparator.comparing(IndexRecord::document))
        .toList();
  }

  /// A hash of everything that the chunks depend on.
  private String digest(Document document) {
    var parts = new ArrayList<String>();
    parts.add(splitter.id());
    parts.add(document.source());
    parts.add(document.text());
    document
        .metadata()
        .forEach((key, value) -> {
          parts.add(key);
          parts.add(value);
        });
    return Digests.sha256(parts.toArray(String[]::new));
  }
}
