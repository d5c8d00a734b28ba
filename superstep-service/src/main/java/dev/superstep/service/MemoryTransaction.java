package dev.superstep.service;

import dev.superstep.json.Json;
import dev.superstep.service.MemoryTables.Log;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A transaction on the tables in memory, which writes at once and undoes that if the work fails.
/// For the thread that has the tables.
final class MemoryTransaction implements ServiceTransaction {
  private final MemoryTables tables;
  private final Instant now;
  private final boolean isReading;
  private final Deque<Runnable> undo = new ArrayDeque<>();
  private final Set<String> signalled = new LinkedHashSet<>();
  private boolean isOver;

  MemoryTransaction(MemoryTables tables, InstantSource clock, boolean isReading) {
    this.tables = tables;
    this.now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    this.isReading = isReading;
  }

  <R> R run(ServiceStore.Work<R> work) {
    try {
      return work.apply(this);
    } catch (Throwable e) {
      undo.forEach(Runnable::run);
      throw e;
    } finally {
      isOver = true;
    }
  }

  Set<String> signalled() {
    return signalled;
  }

  @Override
  public Instant now() {
    checkOpen();
    return now;
  }

  @Override
  public void lock(String name) {
    // Transactions have the tables one after the other.
    checkWriting();
  }

  @Override
  public Optional<Document> find(DocumentKind kind, String id) {
    checkOpen();
    return tables.documents(kind).find(id);
  }

  @Override
  public boolean insert(Document document) {
    checkWriting();
    if (tables.documents(document.kind()).has(document.id())) return false;
    put(document.kind(), document.id(), document);
    return true;
  }

  @Override
  public boolean replace(Document document) {
    checkWriting();
    if (!tables.documents(document.kind()).has(document.id())) return false;
    put(document.kind(), document.id(), document);
    return true;
  }

  @Override
  public boolean delete(DocumentKind kind, String id) {
    checkWriting();
    if (!tables.documents(kind).has(id)) return false;
    put(kind, id, null);
    return true;
  }

  private void put(DocumentKind kind, String id, @Nullable Document document) {
    var all = tables.documents(kind);
    var before = all.put(id, document).orElse(null);
    undo.push(() -> {
      var _ = all.put(id, before);
    });
  }

  @Override
  public List<Document> search(DocumentQuery query) {
    checkOpen();
    var matches = query.matcher();
    return tables.documents(query.kind()).candidates(query).stream()
        .filter(matches)
        .sorted(query.comparator())
        .skip(query.offset())
        .limit(query.limit())
        .toList();
  }

  @Override
  public long count(DocumentQuery query) {
    checkOpen();
    return tables.documents(query.kind()).candidates(query).stream()
        .filter(query.matcher())
        .count();
  }

  @Override
  public long append(String log, List<Json> entries) {
    checkWriting();
    if (entries.isEmpty()) return lastOffset(log);
    var to = tables.logs().get(log);
    if (to == null) {
      to = new Log();
      tables.logs().put(log, to);
      undo.push(() -> tables.logs().remove(log));
    }
    var grown = to;
    long before = grown.last;
    for (var entry : entries) grown.entries.put(++grown.last, entry);
    undo.push(() -> {
      grown.entries.tailMap(before, false).clear();
      grown.last = before;
    });
    return grown.last;
  }

  @Override
  public List<LogEntry> entries(String log, long after, int limit) {
    checkOpen();
    var from = tables.logs().get(log);
    if (from == null) return List.of();
    var found = new ArrayList<LogEntry>();
    for (var entry : from.entries.tailMap(after, false).entrySet()) {
      if (found.size() == limit) break;
      found.add(new LogEntry(entry.getKey(), entry.getValue()));
    }
    return List.copyOf(found);
  }

  @Override
  public long lastOffset(String log) {
    checkOpen();
    var known = tables.logs().get(log);
    return known == null ? 0 : known.last;
  }

  @Override
  public void trim(String log, long through) {
    checkWriting();
    var cut = tables.logs().get(log);
    if (cut == null) return;
    var gone = new TreeMap<>(cut.entries.headMap(through, true));
    cut.entries.headMap(through, true).clear();
    undo.push(() -> cut.entries.putAll(gone));
  }

  @Override
  public void deleteLog(String log) {
    checkWriting();
    var gone = tables.logs().remove(log);
    if (gone != null) undo.push(() -> tables.logs().put(log, gone));
  }

  @Override
  public void signal(String topic) {
    checkWriting();
    signalled.add(topic);
  }

  private void checkOpen() {
    if (isOver) throw new IllegalStateException("the transaction has ended");
  }

  private void checkWriting() {
    checkOpen();
    if (isReading) {
      throw new IllegalStateException("a reading transaction cannot write; use `write`");
    }
  }
}
