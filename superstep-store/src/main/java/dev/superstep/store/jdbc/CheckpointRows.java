package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.Scheduled;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.ChannelRefs.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checkpoints and the values of their channels. Rows are only ever added.
final class CheckpointRows {
  private static final Codec<Body> BODY = Codec.of(Body.class);
  private static final String SELECT =
      """
      select c.id, p.id, c.step, c.source, c.format, g.name, g.hash, c.body, c.channels
      from checkpoint c join graph g on g.id = c.graph left join checkpoint p on p.seq = c.parent
      where c.lineage = ?
      """;

  private CheckpointRows() {}

  /// The part of a checkpoint that has no columns.
  record Body(
      Instant at,
      String run,
      List<Scheduled> next,
      List<String> ran,
      Optional<Marks> marks,
      Map<String, String> metadata) {
    static Body of(Checkpoint checkpoint) {
      var at = checkpoint.progress();
      return new Body(
          checkpoint.at(),
          checkpoint.run(),
          at.next(),
          at.ran(),
          Marks.of(at),
          checkpoint.metadata());
    }

    Progress progress() {
      var rare = marks.orElse(Marks.NONE);
      return new Progress(next, rare.held(), rare.arrived(), rare.seen(), ran, rare.chosen());
    }
  }

  /// What few runs have. A part of its own, so that it costs nothing where it is empty.
  record Marks(
      List<Scheduled> held,
      Map<String, Set<String>> arrived,
      Map<String, Map<String, Long>> seen,
      Map<String, List<String>> chosen) {
    static final Marks NONE = new Marks(List.of(), Map.of(), Map.of(), Map.of());

    static Optional<Marks> of(Progress progress) {
      var marks =
          new Marks(progress.held(), progress.arrived(), progress.seen(), progress.chosen());
      return marks.equals(NONE) ? Optional.empty() : Optional.of(marks);
    }
  }

  private record Head(long seq, String id, ChannelRefs channels) {}

  /// A checkpoint as it is in the file, before anything in it is trusted.
  private record Row(
      String id,
      Optional<String> parent,
      int step,
      String source,
      int format,
      String graph,
      String hash,
      String body,
      String channels) {
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
          row.getString(9));
    }
  }

  static boolean commit(Sql sql, Commit commit) throws SQLException {
    var found = Lineages.find(sql, commit.lineage());
    var head = found.isEmpty() ? Optional.<Head>empty() : head(sql, commit.lineage(), found.get());
    var checkpoint = commit.checkpoint();
    if (!head.map(Head::id).equals(checkpoint.parent())) return false;
    var lineage = found.isPresent() ? found.get() : Lineages.findOrAdd(sql, commit.lineage());
    var old = head.map(Head::channels).orElse(ChannelRefs.NONE);
    var changed = new LinkedHashMap<Long, ChannelRefs.Ref>();
    for (var change : commit.changes()) {
      var channel = channel(sql, change.name());
      var place = store(sql, lineage, change, old.place(channel));
      changed.put(channel, new ChannelRefs.Ref(change.version(), place));
    }
    insert(sql, lineage, head.map(Head::seq), checkpoint, old.with(changed).text());
    return true;
  }

  static Optional<Saved> latest(Sql sql, Lineage lineage) throws SQLException {
    return saved(sql, lineage, SELECT + "order by c.seq desc limit 1");
  }

  static Optional<Saved> byId(Sql sql, Lineage lineage, String id) throws SQLException {
    return saved(sql, lineage, SELECT + "and c.id = ?", id);
  }

  static List<Checkpoint> page(Sql sql, Lineage lineage, Optional<String> before, int limit)
      throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    // A `before` that does not exist compares as null, which gives no rows.
    var rows =
        before.isEmpty()
            ? sql.all(SELECT + "order by c.seq desc limit ?", Row::of, key.get(), limit)
            : sql.all(
                SELECT
                    + "and c.seq < (select seq from checkpoint where lineage = ? and id = ?)"
                    + " order by c.seq desc limit ?",
                Row::of,
                key.get(),
                key.get(),
                before.get(),
                limit);
    var result = new ArrayList<Checkpoint>();
    for (var row : rows) result.add(trusted(lineage, row.id(), () -> checkpoint(row)));
    return result;
  }

  private static Optional<Head> head(Sql sql, Lineage lineage, long key) throws SQLException {
    return sql.first(
        "select seq, id, channels from checkpoint where lineage = ? order by seq desc limit 1",
        row -> {
          var id = row.getString(2);
          var channels = row.getString(3);
          return new Head(
              row.getLong(1), id, trusted(lineage, id, () -> ChannelRefs.parse(channels)));
        },
        key);
  }

  private static long channel(Sql sql, String name) throws SQLException {
    var found = sql.first("select id from channel where name = ?", row -> row.getLong(1), name);
    if (found.isPresent()) return found.get();
    return sql.insert("insert into channel (name) values (?) returning id", name);
  }

  private static Place store(Sql sql, long lineage, ChannelChange change, Optional<Place> old)
      throws SQLException {
    return switch (change.change()) {
      case Change.Whole(var value) ->
          new Place.Value(
              sql.insert(
                  "insert into value (lineage, json) values (?, ?) returning id",
                  lineage,
                  Texts.of(value)));
      case Change.Cleared() -> new Place.Cleared();
      case Change.Items(var kept, var added) -> {
        // What was one piece, or was not there, has no items to keep.
        var list = old.orElse(null) instanceof Place.Prefix p ? p : new Place.Prefix(0, 0);
        if (kept < 0 || kept > list.length()) {
          throw new IllegalArgumentException(
              "channel `%s` cannot keep %d items of %d"
                  .formatted(change.name(), kept, list.length()));
        }
        yield list.log() == 0
            ? Logs.start(sql, lineage, added)
            : Logs.next(sql, lineage, list, kept, added);
      }
    };
  }

  private static void insert(
      Sql sql, long lineage, Optional<Long> parent, Checkpoint checkpoint, String channels)
      throws SQLException {
    var body = Body.of(checkpoint);
    sql.update(
        """
        insert into checkpoint
          (lineage, id, parent, step, source, format, graph, body, channels)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        lineage,
        checkpoint.id(),
        parent.orElse(null),
        checkpoint.step(),
        checkpoint.source().name(),
        checkpoint.format(),
        graph(sql, checkpoint),
        Texts.of(BODY.encode(body)),
        channels);
  }

  private static long graph(Sql sql, Checkpoint checkpoint) throws SQLException {
    var found =
        sql.first(
            "select id from graph where name = ? and hash = ?",
            row -> row.getLong(1),
            checkpoint.graph(),
            checkpoint.graphHash());
    if (found.isPresent()) return found.get();
    return sql.insert(
        "insert into graph (name, hash) values (?, ?) returning id",
        checkpoint.graph(),
        checkpoint.graphHash());
  }

  private static Optional<Saved> saved(Sql sql, Lineage lineage, String query, String... id)
      throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return Optional.empty();
    var row =
        id.length == 0
            ? sql.first(query, Row::of, key.get())
            : sql.first(query, Row::of, key.get(), id[0]);
    if (row.isEmpty()) return Optional.empty();
    return Optional.of(trusted(lineage, row.get().id(), () -> saved(sql, row.get())));
  }

  private static Saved saved(Sql sql, Row row) throws SQLException {
    var checkpoint = checkpoint(row);
    var channels = new ArrayList<SavedChannel>();
    for (var entry : ChannelRefs.parse(row.channels()).refs().entrySet()) {
      var ref = entry.getValue();
      channels.add(
          new SavedChannel(
              name(sql, entry.getKey()),
              ref.version(),
              switch (ref.place()) {
                case Place.Value(var id) -> new Content.Whole(value(sql, id));
                case Place.Prefix prefix -> new Content.Items(Logs.read(sql, prefix));
                case Place.Cleared() -> new Content.Cleared();
              }));
    }
    return new Saved(checkpoint, channels);
  }

  private static Checkpoint checkpoint(Row row) {
    // First of all: a newer format may mean anything by the rest.
    if (row.format() > Checkpoint.FORMAT) {
      throw new IllegalArgumentException(
          "it has format %d and this program knows %d; use a newer Superstep"
              .formatted(row.format(), Checkpoint.FORMAT));
    }
    var body = BODY.decode(new Json(row.body()));
    return new Checkpoint(
        row.format(),
        row.id(),
        row.parent(),
        row.step(),
        Checkpoint.Source.valueOf(row.source()),
        body.at(),
        body.run(),
        row.graph(),
        row.hash(),
        body.progress(),
        body.metadata());
  }

  private static String name(Sql sql, long channel) throws SQLException {
    return sql.first("select name from channel where id = ?", row -> row.getString(1), channel)
        .orElseThrow(() -> missing("channel", channel));
  }

  private static Json value(Sql sql, long id) throws SQLException {
    return sql.first("select json, json_valid(json) from value where id = ?", Texts::checked, id)
        .orElseThrow(() -> missing("value", id));
  }

  private static IllegalArgumentException missing(String what, long id) {
    return new IllegalArgumentException("its " + what + " " + id + " is missing");
  }

  private interface Reading<T> {
    T read() throws SQLException;
  }

  /// Names the checkpoint if what is in the file cannot be one.
  private static <T> T trusted(Lineage lineage, String id, Reading<T> reading) throws SQLException {
    try {
      return reading.read();
    } catch (MalformedJson | IllegalArgumentException | Unreadable e) {
      throw Unreadable.checkpoint(lineage, id, e);
    }
  }
}
