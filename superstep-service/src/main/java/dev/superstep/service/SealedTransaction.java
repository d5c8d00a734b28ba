package dev.superstep.service;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// A transaction in another one, which gets sealed bodies and entries only. For the thread and the
/// time of that one.
final class SealedTransaction implements ServiceTransaction {
  /// The field of a body that holds its seal, as a body is an object.
  private static final String FIELD = "sealed";

  private static final JsonMapper JSON = new JsonMapper();
  private static final String BODY = "the body of document";
  private static final String ENTRY = "the entry of log";

  private final ServiceTransaction in;
  private final KeyRing ring;

  SealedTransaction(ServiceTransaction in, KeyRing ring) {
    this.in = in;
    this.ring = ring;
  }

  static boolean isSealed(Json body) {
    var tree = JSON.readTree(body.text());
    return tree.size() == 1 && tree.path(FIELD).isString();
  }

  @Override
  public Instant now() {
    return in.now();
  }

  @Override
  public void lock(String name) {
    in.lock(name);
  }

  // --- Documents ---

  private Document sealed(Document plain) {
    var seal = ring.seal(plain.body().text(), BODY, plain.kind().name(), plain.id());
    return plain.body(Json.of(Map.of(FIELD, seal)));
  }

  private Document opened(Document sealed) {
    var seal = JSON.readTree(sealed.body().text()).path(FIELD).asString("");
    var text = ring.open(seal, BODY, sealed.kind().name(), sealed.id());
    return sealed.body(Json.unchecked(text));
  }

  @Override
  public Optional<Document> find(DocumentKind kind, String id) {
    return in.find(kind, id).map(this::opened);
  }

  @Override
  public boolean insert(Document document) {
    return in.insert(sealed(document));
  }

  @Override
  public boolean replace(Document document) {
    return in.replace(sealed(document));
  }

  @Override
  public boolean delete(DocumentKind kind, String id) {
    return in.delete(kind, id);
  }

  @Override
  public List<Document> search(DocumentQuery query) {
    return in.search(query).stream().map(this::opened).toList();
  }

  @Override
  public long count(DocumentQuery query) {
    return in.count(query);
  }

  // --- Logs ---

  /// An entry is bound to its place, so nobody else may take that until the transaction ends.
  @Override
  public long append(String log, List<Json> entries) {
    if (entries.isEmpty()) return in.append(log, entries);
    in.lock("log/" + log);
    long offset = in.lastOffset(log);
    var sealed = new ArrayList<Json>();
    for (var entry : entries) {
      sealed.add(Json.of(ring.seal(entry.text(), ENTRY, log, Long.toString(++offset))));
    }
    long last = in.append(log, sealed);
    if (last == offset) return last;
    throw new IllegalStateException("log " + log + " has grown to " + last + " under its lock");
  }

  @Override
  public List<LogEntry> entries(String log, long after, int limit) {
    return in.entries(log, after, limit).stream().map(entry -> opened(log, entry)).toList();
  }

  private LogEntry opened(String log, LogEntry entry) {
    var seal = JSON.readTree(entry.value().text()).asString("");
    var text = ring.open(seal, ENTRY, log, Long.toString(entry.offset()));
    return new LogEntry(entry.offset(), Json.unchecked(text));
  }

  @Override
  public long lastOffset(String log) {
    return in.lastOffset(log);
  }

  @Override
  public void trim(String log, long through) {
    in.trim(log, through);
  }

  @Override
  public void deleteLog(String log) {
    in.deleteLog(log);
  }

  @Override
  public void signal(String topic) {
    in.signal(topic);
  }
}
