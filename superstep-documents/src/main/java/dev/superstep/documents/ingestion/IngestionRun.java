package dev.superstep.documents.ingestion;

import dev.superstep.documents.SourceDocument;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.TokenCounter;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecord;
import dev.superstep.retrieval.IndexingChange;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A single call of an ingestion. One thread.
///
/// The records always name every chunk that the index may have of a document, because they are
/// written both before and after the chunks. So the next call finds whatever a crash left.
final class IngestionRun {
  private static final System.Logger LOG = System.getLogger("dev.superstep.documents");
  private static final String UNDER_WAY = "";
  private static final int GROUP_DOCUMENTS_MAX = 16;
  private static final int GROUP_CHUNKS_MAX = 64;

  private final IngestionSetup setup;
  private final HeldLease lease;
  private final TokenCounter counter = TokenCounter.approximate();
  private final Map<IndexingChange, List<String>> done = new EnumMap<>(IndexingChange.class);
  private final List<IngestionReport.Failure> failed = new ArrayList<>();
  private final List<String> postponed = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> sources = new HashSet<>();
  private final List<Change> group = new ArrayList<>();
  private long tokens;

  /// @param record as it is to be when the chunks are written
  /// @param before the chunks that the index may have of the document
  private record Change(
      IndexingChange kind,
      IndexRecord record,
      List<Chunk> chunks,
      List<String> before,
      long tokens) {}

  /// @param lease of the index; it is checked before each write, and closed by the caller
  IngestionRun(IngestionSetup setup, HeldLease lease) {
    this.setup = setup;
    this.lease = lease;
  }

  void ingest(SourceDocument document) throws InterruptedException {
    if (!seen.add(document.id())) {
      throw new IllegalArgumentException("two documents have the id `" + document.id() + "`");
    }
    sources.add(document.source());
    var bytes = attempt(document.id(), () -> document.read(setup.maxBytes()));
    if (bytes.isEmpty()) return;
    change(document, bytes.get()).ifPresent(group::add);
    int chunks = group.stream().mapToInt(change -> change.chunks().size()).sum();
    if (group.size() >= GROUP_DOCUMENTS_MAX || chunks >= GROUP_CHUNKS_MAX) write();
  }

  void finish(Cleanup cleanup) {
    write();
    var records = setup.records();
    switch (cleanup) {
      case NONE -> {}
      case BY_SOURCE -> delete(records.from(sources));
      case FULL -> {
        delete(records.all());
        var known = new HashSet<String>();
        for (var record : records.all()) known.addAll(record.chunks());
        var all = setup.index().ids(ChunkFilter.all());
        lease.check();
        setup.index().delete(all.stream().filter(id -> !known.contains(id)).toList());
      }
    }
  }

  IngestionReport report() {
    return new IngestionReport(
        of(IndexingChange.ADDED),
        of(IndexingChange.UPDATED),
        of(IndexingChange.SKIPPED),
        of(IndexingChange.REPAIRED),
        of(IndexingChange.DELETED),
        failed,
        postponed,
        tokens);
  }

  void publish(IngestionEvent event) {
    try {
      setup.listener().on(event);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A listener of an ingestion failed.", e);
    }
  }

  /// The name of an error in an event: its code or class, because its message may contain texts.
  static String name(Throwable error) {
    return error instanceof SuperstepException known ? known.code() : error.getClass().getName();
  }

  @FunctionalInterface
  private interface Attempt<T> {
    T make() throws InterruptedException;
  }

  /// Reports an error of one document, of whatever kind: its bytes come from outside.
  private <T> Optional<T> attempt(String document, Attempt<T> attempt) throws InterruptedException {
    try {
      return Optional.of(attempt.make());
    } catch (RuntimeException | StackOverflowError e) {
      fail(document, e);
      return Optional.empty();
    }
  }

  private Optional<Change> change(SourceDocument document, byte[] bytes)
      throws InterruptedException {
    var id = document.id();
    var digest = digest(document, bytes);
    var known = Optional.ofNullable(setup.records().get(List.of(id)).get(id));
    var before = known.map(IndexRecord::chunks).orElse(List.of());
    var kind = known.map(record -> kind(record, digest)).orElse(IndexingChange.ADDED);
    if (kind == IndexingChange.SKIPPED) {
      report(id, kind, before.size(), 0);
      return Optional.empty();
    }
    // The bytes that the digest is of, even if the file changes meanwhile.
    var same = SourceDocument.of(id, bytes).from(document.source());
    var cut = attempt(id, () -> setup.splitter().split(setup.loader().load(same)));
    if (cut.isEmpty()) return Optional.empty();
    var chunks = cut.get();
    long cost = chunks.stream().mapToLong(chunk -> counter.count(chunk.text())).sum();
    if (cost > setup.tokenLimit() - tokens) {
      postponed.add(id);
      publish(new IngestionEvent.DocumentPostponed(id));
      return Optional.empty();
    }
    tokens += cost;
    var ids = chunks.stream().map(Chunk::id).toList();
    var record = new IndexRecord(id, document.source(), digest, ids);
    return Optional.of(new Change(kind, record, chunks, before, cost));
  }

  private IndexingChange kind(IndexRecord known, String digest) {
    if (known.digest().equals(UNDER_WAY)) return IndexingChange.REPAIRED;
    if (!known.digest().equals(digest)) return IndexingChange.UPDATED;
    boolean isWhole = setup.index().get(known.chunks()).size() == known.chunks().size();
    return isWhole ? IndexingChange.SKIPPED : IndexingChange.REPAIRED;
  }

  private void fail(String document, Throwable error) {
    var message =
        error instanceof SuperstepException known
            ? String.valueOf(known.getMessage())
            : "The loader failed with " + error.getClass().getName() + ".";
    failed.add(new IngestionReport.Failure(document, name(error), message));
    publish(new IngestionEvent.DocumentNotLoaded(document, name(error)));
  }

  private void write() {
    if (group.isEmpty()) return;
    var changes = List.copyOf(group);
    group.clear();
    lease.check();
    setup.records().put(changes.stream().map(IngestionRun::pending).toList());
    var chunks = changes.stream().flatMap(change -> change.chunks().stream()).toList();
    setup.index().add(chunks);
    // To embed takes long. What follows is for the records of whoever has the lease now.
    lease.check();
    var gone = new LinkedHashSet<String>();
    for (var change : changes) gone.addAll(change.before());
    for (var chunk : chunks) gone.remove(chunk.id());
    setup.index().delete(gone);
    setup.records().put(changes.stream().map(Change::record).toList());
    for (var change : changes) {
      report(change.record().document(), change.kind(), change.chunks().size(), change.tokens());
    }
  }

  private static IndexRecord pending(Change change) {
    var chunks = new LinkedHashSet<>(change.before());
    chunks.addAll(change.record().chunks());
    var record = change.record();
    return new IndexRecord(record.document(), record.source(), UNDER_WAY, List.copyOf(chunks));
  }

  private void delete(List<IndexRecord> records) {
    var stale =
        records.stream()
            .filter(record -> !seen.contains(record.document()))
            .sorted((a, b) -> a.document().compareTo(b.document()))
            .toList();
    lease.check();
    // The index first: as long as there is a record, the next call tries again.
    setup.index().delete(stale.stream().flatMap(record -> record.chunks().stream()).toList());
    setup.records().delete(stale.stream().map(IndexRecord::document).toList());
    for (var record : stale) report(record.document(), IndexingChange.DELETED, 0, 0);
  }

  private void report(String document, IndexingChange change, int chunks, long embedded) {
    done.computeIfAbsent(change, _ -> new ArrayList<>()).add(document);
    publish(new IngestionEvent.DocumentIngested(document, change, chunks, embedded));
  }

  private List<String> of(IndexingChange kind) {
    return done.getOrDefault(kind, List.of());
  }

  /// A hash of everything that the chunks depend on.
  private String digest(SourceDocument document, byte[] bytes) {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      add(hash, setup.loader().id(document).getBytes(StandardCharsets.UTF_8));
      add(hash, setup.splitter().id().getBytes(StandardCharsets.UTF_8));
      add(hash, document.source().getBytes(StandardCharsets.UTF_8));
      add(hash, bytes);
      return HexFormat.of().formatHex(hash.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void add(MessageDigest hash, byte[] part) {
    hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
    hash.update(part);
  }
}
