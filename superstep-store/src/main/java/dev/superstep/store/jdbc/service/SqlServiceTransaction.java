package dev.superstep.store.jdbc.service;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A transaction of a service in an SQL database. For one thread.
///
/// At a server with several writers, a document that is written must be as it was read, or the
/// transaction fails and is run again ([SeenVersions]). Such a write needs no result, so it is sent
/// with what follows it, often the commit.
final class SqlServiceTransaction implements ServiceTransaction {
  private final Sql sql;
  private final DocumentRows rows;
  private final InstantSource clock;
  private final Mode mode;
  private final SeenVersions seen = new SeenVersions();
  private final Set<String> signalled = new LinkedHashSet<>();
  private @Nullable PendingResult<Instant> time;
  private @Nullable Instant now;
  private @Nullable SQLException failure;
  private boolean isOver;

  /// The rights of a transaction.
  enum Mode {
    READING,
    WRITING,
    /// Others wait with changing what was read.
    LOCKING
  }

  /// @param clock that of a database which is not a server
  SqlServiceTransaction(Sql sql, InstantSource clock, Mode mode) {
    this.sql = sql;
    this.clock = clock;
    this.mode = mode;
    rows = new DocumentRows(sql, mode == Mode.LOCKING);
  }

  <R> R run(ServiceStore.Work<R> work) throws SQLException {
    try {
      R result = work.apply(this);
      // Even if the work has caught what told it so.
      if (failure != null) throw failure;
      return result;
    } catch (RuntimeException e) {
      if (failure != null) throw failure;
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
    if (now == null) {
      now = isServer() ? call(_ -> serverTime()) : clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
    return now;
  }

  private Instant serverTime() throws SQLException {
    var asked = time == null ? askedTime() : time;
    return asked.first().orElseThrow();
  }

  /// Asks for the time with what is sent next. After locks, so that it is not earlier than what
  /// others did under them.
  private PendingResult<Instant> askedTime() throws SQLException {
    var query = "select " + sql.dialect().now();
    var asked = sql.defer(query, row -> Micros.time(row.getLong(1)));
    time = asked;
    return asked;
  }

  @Override
  public void lock(String name) {
    checkWriting();
    // A writer of SQLite is alone.
    if (!isServer()) return;
    call(all -> all.defer("select 1 from pg_advisory_xact_lock(?)", _ -> true, number(name)));
  }

  /// Names are told apart by 64 bits; two that are not wait for each other for nothing.
  private static long number(String name) {
    try {
      var bytes = ("service " + name).getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Optional<Document> find(DocumentKind kind, String id) {
    checkOpen();
    if (!DocumentQuery.isStorable(id)) return Optional.empty();
    return call(_ -> {
      prepareTime();
      var found = rows.find(kind, id);
      if (isTracked()) seen.read(kind, id, found.map(DocumentRows.Row::version));
      return found.map(DocumentRows.Row::document);
    });
  }

  @Override
  public boolean insert(Document document) {
    checkWriting();
    return call(_ -> {
      var kind = document.kind();
      boolean isAbsent = isServer() && seen.isAbsent(kind, document.id());
      if (isAbsent) rows.insertAbsent(document);
      else prepareTime();
      boolean isInserted = isAbsent || rows.insert(document);
      if (isInserted) written(kind, document.id());
      return isInserted;
    });
  }

  @Override
  public boolean replace(Document document) {
    checkWriting();
    return call(_ -> {
      var version = seen.version(document.kind(), document.id());
      if (version.isPresent()) {
        rows.replace(document, version.get());
      } else if (!rows.replace(document)) {
        return false;
      }
      written(document.kind(), document.id());
      return true;
    });
  }

  @Override
  public boolean delete(DocumentKind kind, String id) {
    checkWriting();
    if (!DocumentQuery.isStorable(id)) return false;
    return call(_ -> {
      var version = seen.version(kind, id);
      if (version.isPresent()) rows.delete(kind, id, version.get());
      else if (!rows.delete(kind, id)) return false;
      if (isServer()) seen.deleted(kind, id);
      return true;
    });
  }

  private void written(DocumentKind kind, String id) {
    if (isServer()) seen.written(kind, id);
  }

  @Override
  public List<Document> search(DocumentQuery query) {
    checkOpen();
    return call(_ -> {
      prepareTime();
      var found = rows.search(query);
      if (isTracked()) {
        for (var row : found) {
          seen.read(query.kind(), row.document().id(), Optional.of(row.version()));
        }
      }
      return found.stream().map(DocumentRows.Row::document).toList();
    });
  }

  @Override
  public long count(DocumentQuery query) {
    checkOpen();
    return call(_ -> rows.count(query));
  }

  @Override
  public long append(String log, List<Json> entries) {
    checkWriting();
    if (!DocumentQuery.isStorable(log)) {
      throw new IllegalArgumentException("the name of a log must be Unicode without U+0000");
    }
    if (entries.isEmpty()) return lastOffset(log);
    return call(all -> EventLogRows.append(all, log, entries));
  }

  @Override
  public List<LogEntry> entries(String log, long after, int limit) {
    checkOpen();
    if (!DocumentQuery.isStorable(log)) return List.of();
    return call(all -> EventLogRows.entries(all, log, after, limit));
  }

  @Override
  public long lastOffset(String log) {
    checkOpen();
    if (!DocumentQuery.isStorable(log)) return 0;
    return call(all -> EventLogRows.lastOffset(all, log));
  }

  @Override
  public void trim(String log, long through) {
    checkWriting();
    if (!DocumentQuery.isStorable(log)) return;
    call(all -> {
      EventLogRows.trim(all, log, through);
      return true;
    });
  }

  @Override
  public void deleteLog(String log) {
    checkWriting();
    if (!DocumentQuery.isStorable(log)) return;
    call(all -> {
      EventLogRows.delete(all, log);
      return true;
    });
  }

  @Override
  public void signal(String topic) {
    checkWriting();
    signalled.add(topic);
  }

  private boolean isServer() {
    return sql.dialect().hasLocks();
  }

  private boolean isTracked() {
    return isServer() && mode != Mode.READING;
  }

  private void prepareTime() throws SQLException {
    if (isServer() && time == null) askedTime();
  }

  private <T> T call(Operation<T> operation) {
    try {
      return operation.run(sql);
    } catch (SQLException e) {
      failure = e;
      throw new SqlFailure(e);
    }
  }

  private void checkOpen() {
    if (isOver) throw new IllegalStateException("the transaction has ended");
  }

  private void checkWriting() {
    checkOpen();
    if (mode == Mode.READING) {
      throw new IllegalStateException("a reading transaction cannot write; use `write`");
    }
  }
}
