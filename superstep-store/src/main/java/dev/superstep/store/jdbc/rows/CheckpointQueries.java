package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.sql.ChannelRefs;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads checkpoints and the values of their channels.
public final class CheckpointQueries {
  /// Columns that [#checkpoint] reads from `c` and the joined tables.
  static final String COLUMNS =
      "c.id, c.parent, c.step, c.source, c.format, g.name, g.hash, r.name, c.at, c.body,"
          + " c.memories, coalesce(c.generation, c.id), c.taken_over, c.digest";

  static final String JOINS = " join graph g on g.id = c.graph join run r on r.id = c.run ";

  private static final String SELECT =
      "select "
          + COLUMNS
          + ", c.channels, c.channels_digest from thread t join lineage l on l.thread = t.id"
          + " join checkpoint c on c.lineage = l.id"
          + JOINS
          + "where t.name = ? and l.namespace = ? ";

  private static final String LATEST =
      "select "
          + COLUMNS
          + ", c.channels, c.channels_digest, l.head, l.id, l.digest"
          + " from thread t join lineage l on l.thread = t.id"
          + " left join checkpoint c on c.seq = l.head left join graph g on g.id = c.graph"
          + " left join run r on r.id = c.run where t.name = ? and l.namespace = ?";

  // Of one query; more are read with several.
  private static final int VALUES_MAX = 500;

  // From which format on a checkpoint has a digest.
  private static final int DIGESTED = 2;

  private CheckpointQueries() {}

  /// A checkpoint's row as read, before it is verified.
  record Row(
      String id,
      Optional<String> parent,
      int step,
      String source,
      int format,
      String graph,
      String hash,
      String run,
      String at,
      String body,
      Optional<String> memories,
      String generation,
      Optional<String> inheritedTasks,
      Optional<Long> digest) {
    static Row of(Checkpoint checkpoint) {
      return new Row(
          checkpoint.id(),
          checkpoint.parent(),
          checkpoint.step(),
          checkpoint.source().name(),
          checkpoint.format(),
          checkpoint.graph(),
          checkpoint.graphHash(),
          checkpoint.run(),
          checkpoint.at().toString(),
          SqlText.of(CheckpointRows.BODY.encode(CheckpointRows.Body.of(checkpoint))),
          CheckpointRows.memories(checkpoint.progress().memories()),
          checkpoint.generation(),
          CheckpointRows.inheritedTasks(checkpoint.progress()),
          Optional.empty());
    }

    /// Computes the digest of this row.
    long written() {
      return Digest.of(
          "checkpoint",
          id,
          parent,
          generation,
          step,
          source,
          format,
          graph,
          hash,
          run,
          at,
          inheritedTasks,
          memories,
          body);
    }

    /// @param head that of the lineage whose newest checkpoint it is said to be
    void checkHead(Lineage lineage, Optional<Long> head) {
      boolean isUnknown = head.isEmpty() && digest.isPresent();
      if (isUnknown) throw Digest.differs("that it is the newest");
      Digest.check(head, Lineages.digest(lineage, id), "that it is the newest");
    }

    void check() {
      Digest.check(digest, written(), "it");
      // Every one of that format has a digest, so one without has lost it.
      if (digest.isEmpty() && format >= DIGESTED) throw Digest.differs("it");
    }

    static Row of(ResultSet row) throws SQLException {
      return new Row(
          row.getString(1),
          Optional.ofNullable(row.getString(2)),
          row.getInt(3),
          row.getString(4),
          row.getInt(5),
          row.getString(6),
          row.getString(7),
          row.getString(8),
          row.getString(9),
          row.getString(10),
          Optional.ofNullable(row.getString(11)),
          row.getString(12),
          Optional.ofNullable(row.getString(13)),
          Digest.read(row, 14));
    }
  }

  private record Full(Row row, String channels, Optional<Long> digest) {
    static Full of(ResultSet row) throws SQLException {
      return new Full(Row.of(row), row.getString(15), Digest.read(row, 16));
    }

    ChannelRefs refs(Sql sql) throws SQLException {
      if (digest.isPresent() != row.digest().isPresent()) throw Digest.differs("its digest");
      CheckpointRows.checkChannels(digest, row.id(), channels);
      return RefLog.read(sql, channels);
    }
  }

  /// The newest checkpoint of a lineage.
  ///
  /// @param lineage the row of the lineage
  /// @param checkpoint absent if it is missing although there should be one
  public record Newest(
      long lineage, boolean exists, Optional<Full> checkpoint, Optional<Long> digest) {
    static Newest of(ResultSet row) throws SQLException {
      long lineage = row.getLong(18);
      var digest = Digest.read(row, 19);
      row.getLong(17);
      if (row.wasNull()) return new Newest(lineage, digest.isPresent(), Optional.empty(), digest);
      boolean isWhole = row.getString(1) != null && row.getString(6) != null;
      boolean exists = isWhole && row.getString(8) != null;
      var full = exists ? Optional.of(Full.of(row)) : Optional.<Full>empty();
      return new Newest(lineage, true, full, digest);
    }
  }

  public static Optional<Saved> latest(Sql sql, Lineage lineage) throws SQLException {
    var newest = existing(newest(sql, lineage));
    return newest.isEmpty()
        ? Optional.empty()
        : Optional.of(saved(sql, lineage, whole(lineage, newest.get())));
  }

  public static Optional<ThreadRecord> threadRecord(Sql sql, Lineage lineage) throws SQLException {
    return threadRecord(sql, lineage, newest(sql, lineage));
  }

  private record LastLease(long token, boolean isReleased) {}

  /// Reads a thread that nobody holds; empty if its newest lease was not given back.
  public static Optional<IdleThread> idle(Sql sql, String thread) throws SQLException {
    var lease =
        sql.first(
            "select token, until from thread where name = ?",
            row -> new LastLease(row.getLong(1), row.getLong(2) == 0),
            Lineage.of(thread).thread());
    if (lease.isEmpty()) return Optional.of(new IdleThread(thread, 0, Optional.empty()));
    if (!lease.get().isReleased()) return Optional.empty();
    var threadRecord = threadRecord(sql, Lineage.of(thread));
    return Optional.of(new IdleThread(thread, lease.get().token(), threadRecord));
  }

  /// Reads what is kept with the newest checkpoint, too.
  public static Optional<ThreadRecord> threadRecord(
      Sql sql, Lineage lineage, PendingResult<Newest> pending) throws SQLException {
    var newest = existing(pending);
    if (newest.isEmpty()) return Optional.empty();
    var whole = whole(lineage, newest.get());
    var where = new CheckpointKey(lineage, whole.row().id());
    var records = ThreadRecordRows.read(sql, newest.get().lineage(), where);
    var saved = saved(sql, lineage, whole);
    return Optional.of(records.threadRecord(saved));
  }

  /// Queues the query for the newest checkpoint of a lineage.
  public static PendingResult<Newest> newest(Sql sql, Lineage lineage) throws SQLException {
    return sql.prefetch(LATEST, Newest::of, lineage.thread(), lineage.namespace());
  }

  private static Optional<Newest> existing(PendingResult<Newest> pending) throws SQLException {
    return pending.first().filter(Newest::exists);
  }

  private static Full whole(Lineage lineage, Newest newest) throws SQLException {
    var full = newest.checkpoint().orElseThrow(() -> UnreadableData.head(lineage));
    return trusted(
        lineage,
        full.row().id(),
        () -> {
          full.row().checkHead(lineage, newest.digest());
          return full;
        });
  }

  public static Optional<Saved> byId(Sql sql, Lineage lineage, String id) throws SQLException {
    var found =
        sql.first(SELECT + "and c.id = ?", Full::of, lineage.thread(), lineage.namespace(), id);
    return found.isEmpty() ? Optional.empty() : Optional.of(saved(sql, lineage, found.get()));
  }

  public static List<Checkpoint> page(Sql sql, Lineage lineage, Optional<String> before, int limit)
      throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    var select = "select " + COLUMNS + " from checkpoint c" + JOINS + "where c.lineage = ? ";
    // A `before` that does not exist compares as null, which gives no rows.
    var rows =
        before.isEmpty()
            ? sql.all(select + "order by c.seq desc limit ?", Row::of, key.get(), limit)
            : sql.all(
                select
                    + "and c.seq < (select seq from checkpoint where lineage = ? and id = ?)"
                    + " order by c.seq desc limit ?",
                Row::of,
                key.get(),
                key.get(),
                before.get(),
                limit);
    var result = new ArrayList<Checkpoint>();
    for (var row : rows) result.add(checkpoint(lineage, row));
    return result;
  }

  /// Returns a page of those that have all these entries of metadata.
  public static List<Checkpoint> page(
      Sql sql, Lineage lineage, Map<String, String> metadata, Optional<String> before, int limit)
      throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    var found = new ArrayList<Checkpoint>();
    var seen = before;
    while (true) {
      var query = new StringBuilder("select " + COLUMNS + " from checkpoint c" + JOINS);
      var arguments = new ArrayList<Object>();
      query.append("where c.lineage = ?");
      arguments.add(key.get());
      MetadataFilter.append(query, arguments, sql.dialect(), metadata);
      if (seen.isPresent()) {
        query.append(" and c.seq < (select seq from checkpoint where lineage = ? and id = ?)");
        arguments.add(key.get());
        arguments.add(seen.get());
      }
      query.append(" order by c.seq desc limit ?");
      arguments.add(limit);
      var rows = sql.all(query.toString(), Row::of, arguments.toArray());
      for (var row : rows) {
        var one = checkpoint(lineage, row);
        if (one.hasMetadata(metadata)) found.add(one);
        if (found.size() == limit) return found;
      }
      if (rows.size() < limit) return found;
      seen = Optional.of(rows.getLast().id());
    }
  }

  /// @throws UnreadableData if it cannot be one
  static Checkpoint checkpoint(Lineage lineage, Row row) throws SQLException {
    return trusted(lineage, row.id(), () -> checkpoint(row));
  }

  /// The newest one of a lineage.
  ///
  /// @param head the digest of the lineage
  /// @throws UnreadableData if it cannot be one, or is not the newest
  static Checkpoint newest(Lineage lineage, Row row, Optional<Long> head) throws SQLException {
    return trusted(
        lineage,
        row.id(),
        () -> {
          row.checkHead(lineage, head);
          return checkpoint(row);
        });
  }

  private static Saved saved(Sql sql, Lineage lineage, Full full) throws SQLException {
    return trusted(
        lineage,
        full.row().id(),
        () -> {
          var checkpoint = checkpoint(full.row());
          return new Saved(checkpoint, channels(sql, full.refs(sql)));
        });
  }

  /// Reads the values of some channels.
  static List<SavedChannel> channels(Sql sql, ChannelRefs refs) throws SQLException {
    var pending = pendingValues(sql, refs);
    var lists = new HashMap<Long, ListLogs.Reading>();
    for (var entry : refs.refs().entrySet()) {
      if (entry.getValue().place() instanceof Place.Prefix prefix) {
        lists.put(entry.getKey(), ListLogs.prefetch(sql, prefix));
      }
    }
    var names = sql.ids().names(sql, refs.refs().keySet());
    var values = values(pending);
    var channels = new ArrayList<SavedChannel>();
    var seen = new HashSet<String>();
    for (var entry : refs.refs().entrySet()) {
      var ref = entry.getValue();
      var content =
          switch (ref.place()) {
            case Place.Value(var id) ->
                new Content.Whole(found("value", id, values).json(entry.getKey(), ref.version()));
            case Place.Small(var text) -> new Content.Whole(SqlText.checked(text));
            case Place.Prefix _ -> new Content.Items(found("list", entry.getKey(), lists).items());
            case Place.Cleared() -> new Content.Cleared();
          };
      var name = found("channel", entry.getKey(), names);
      // As after damage to where the names are looked up.
      if (!seen.add(name)) throw UnreadableData.damaged("it has channel `" + name + "` twice");
      channels.add(new SavedChannel(name, ref.version(), content));
    }
    return channels;
  }

  private record Value(long id, String text, Json json, Optional<Long> digest) {
    static Value of(ResultSet row) throws SQLException {
      return new Value(row.getLong(3), row.getString(1), SqlText.checked(row), Digest.read(row, 4));
    }

    Json json(long channel, long version) {
      Digest.check(digest, CheckpointRows.digest(channel, version, text), "its value " + id);
      return json;
    }
  }

  private static List<PendingResult<Value>> pendingValues(Sql sql, ChannelRefs refs)
      throws SQLException {
    var ids = new ArrayList<Object>();
    for (var ref : refs.refs().values()) {
      if (ref.place() instanceof Place.Value(var id)) ids.add(id);
    }
    var pending = new ArrayList<PendingResult<Value>>();
    for (int from = 0; from < ids.size(); from += VALUES_MAX) {
      var some = ids.subList(from, Math.min(from + VALUES_MAX, ids.size()));
      var query =
          "select json, %s, id, digest from value where id in %s"
              .formatted(sql.dialect().isJson("json"), Sql.places(some.size()));
      pending.add(sql.prefetch(query, Value::of, some.toArray()));
    }
    return pending;
  }

  private static Map<Long, Value> values(List<PendingResult<Value>> pending) throws SQLException {
    var values = new HashMap<Long, Value>();
    for (var some : pending) {
      for (var one : some.all()) values.put(one.id(), one);
    }
    return values;
  }

  static <T> T found(String what, long key, Map<Long, T> all) {
    var one = all.get(key);
    if (one == null) throw new IllegalArgumentException("its " + what + " " + key + " is missing");
    return one;
  }

  private static Checkpoint checkpoint(Row row) {
    // First of all, for the format says what the rest means.
    if (row.format() <= Checkpoint.FORMAT) row.check();
    var upgraded = Formats.KNOWN.upgraded(row.format(), Json.unchecked(row.body()));
    var body = CheckpointRows.BODY.decode(upgraded);
    return new Checkpoint(
        Checkpoint.FORMAT,
        row.id(),
        row.parent(),
        row.generation(),
        row.step(),
        Checkpoint.Source.valueOf(row.source()),
        Instant.parse(row.at()),
        row.run(),
        row.graph(),
        row.hash(),
        body.progress(CheckpointRows.memories(row.format(), row.memories().orElse(null))),
        body.metadata());
  }

  interface Reading<T> {
    T read() throws SQLException;
  }

  /// Runs a read and names the checkpoint in the error if its data cannot be decoded.
  static <T> T trusted(Lineage lineage, String id, Reading<T> reading) throws SQLException {
    try {
      return reading.read();
    } catch (MalformedJson | IllegalArgumentException | DateTimeException | UnreadableData e) {
      throw UnreadableData.checkpoint(lineage, id, e);
    }
  }
}
