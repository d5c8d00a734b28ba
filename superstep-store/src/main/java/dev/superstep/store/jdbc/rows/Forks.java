package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.store.jdbc.rows.Leases.ThreadRow;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Makes checkpoints from older ones, and threads from others. The new ones refer to the same
/// values, so the threads are one family from then on.
public final class Forks {
  // No checkpoint has this place.
  private static final long GONE = 0;

  private final Sql sql;
  private final ThreadRow target;
  private final String name;

  /// @param name of the thread that is made
  private Forks(Sql sql, ThreadRow target, String name) {
    this.sql = sql;
    this.target = target;
    this.name = name;
  }

  private record SourceThread(long id, long family) {}

  private record Memory(long lineage, String namespace) {}

  private record Origin(long seq, String channels, Optional<Long> digest) {
    static Origin of(ResultSet row) throws SQLException {
      return new Origin(row.getLong(1), row.getString(2), Digest.read(row, 3));
    }

    void check(Lineage lineage, String id) {
      try {
        CheckpointRows.checkChannels(digest, id, channels);
      } catch (UnreadableData e) {
        throw UnreadableData.checkpoint(lineage, id, e);
      }
    }
  }

  private record At(long seq, String id) {}

  public static boolean fork(Sql sql, Lease lease, Fork fork) throws SQLException {
    int told = fork.journal().size();
    var threadRow = Leases.lock(sql, lease, told);
    if (!new Forks(sql, threadRow, lease.thread()).make(fork))
      return Leases.returnOffsets(sql, threadRow, told);
    EntryRows.put(sql, threadRow, fork.journal());
    return true;
  }

  private boolean make(Fork fork) throws SQLException {
    boolean isSame = fork.source().thread().equals(fork.target().thread());
    boolean goesOn = fork.source().equals(fork.target());
    if (!goesOn && Lineages.hasHead(sql, target.thread(), fork.target().namespace())) return false;
    var source = source(fork.source().thread());
    if (source.isEmpty()) return false;
    var origin = origin(source.get().id(), fork.source(), fork.from());
    if (origin.isEmpty() || isKnown(fork)) return false;
    long at = origin.get().seq();
    if (!isSame) {
      Families.join(sql, target, source.get().family());
    }
    // Its references get a digest of the new place.
    origin.get().check(fork.source(), fork.from());
    boolean isNamed =
        fork.made().progress().memories().isWhole() || !fork.target().namespace().isEmpty();
    if (!isSame && !isNamed) addMemories(source.get().id(), at);
    var keys = keys(fork.target().namespace(), fork.made().run());
    var made = CheckpointRows.insert(sql, keys, fork.made(), origin.get().channels());
    if (isSame && !isNamed) rewindMemories(at, made.first().orElseThrow());
    return true;
  }

  /// The thread, which now keeps what it shares.
  private Optional<SourceThread> source(String name) throws SQLException {
    var thread =
        sql.first(
            "select id, family from thread where name = ?",
            row -> new SourceThread(row.getLong(1), row.getLong(2)),
            name);
    if (thread.isEmpty() || !Families.share(sql, thread.get().family())) return Optional.empty();
    return thread;
  }

  private Optional<Origin> origin(long thread, Lineage lineage, String id) throws SQLException {
    return sql.first(
        "select c.seq, c.channels, c.channels_digest"
            + " from lineage l join checkpoint c on c.lineage = l.id"
            + " where l.thread = ? and l.namespace = ? and c.id = ?",
        Origin::of,
        thread,
        lineage.namespace(),
        id);
  }

  private boolean isKnown(Fork fork) throws SQLException {
    return origin(target.thread(), fork.target(), fork.made().id()).isPresent();
  }

  private CheckpointRows.Keys keys(String namespace, String run) throws SQLException {
    return new CheckpointRows.Keys(
        new Lineage(name, namespace),
        Lineages.findOrAdd(sql, target.thread(), namespace),
        Lineages.run(sql, target.thread(), run));
  }

  // --- What graphs inside remembered in format 1, which did not name it ---

  private List<Memory> memories(long thread) throws SQLException {
    var all =
        sql.all(
            "select id, namespace from lineage where thread = ? order by id",
            row -> new Memory(row.getLong(1), row.getString(2)),
            thread);
    return all.stream()
        .filter(memory -> new Lineage("any", memory.namespace()).isNamedByPath())
        .toList();
  }

  /// The newest checkpoint of a memory when another one was made.
  private Optional<At> asOf(long lineage, long seq) throws SQLException {
    // Of two in one place, going back was the later.
    var head =
        sql.first(
            """
            select seq, 0, seq from checkpoint where lineage = ? and seq <= ?
            union all select seq, 1, head from rewind where lineage = ? and seq <= ?
            order by 1 desc, 2 desc limit 1
            """,
            row -> row.getLong(3),
            lineage,
            seq,
            lineage,
            seq);
    if (head.isEmpty()) return Optional.empty();
    return sql.first(
        "select seq, id from checkpoint where seq = ?",
        row -> new At(row.getLong(1), row.getString(2)),
        head.get());
  }

  private void addMemories(long source, long seq) throws SQLException {
    for (var memory : memories(source)) {
      if (Lineages.hasHead(sql, target.thread(), memory.namespace())) continue;
      var at = asOf(memory.lineage(), seq);
      if (at.isEmpty()) continue;
      var run =
          sql.first(
              "select r.name from checkpoint c join run r on r.id = c.run where c.seq = ?",
              row -> row.getString(1),
              at.get().seq());
      var keys = keys(memory.namespace(), run.orElseThrow());
      long copy =
          sql.insert(
              """
              insert into checkpoint (lineage, id, parent, generation, step, source, format, graph,
                run, at, taken_over, body, channels, memories, digest, channels_digest)
              select l.id, c.id, c.parent, c.generation, c.step, c.source, c.format, c.graph,
                r.id, c.at, c.taken_over, c.body, c.channels, c.memories, c.digest,
                c.channels_digest
              from checkpoint c, lineage l, run r where c.seq = ? and l.id = ? and r.id = ?
              returning seq
              """,
              at.get().seq(),
              keys.lineage(),
              keys.run());
      Lineages.head(sql, keys.lineage(), keys.name(), copy, at.get().id());
    }
  }

  private void rewindMemories(long seq, long made) throws SQLException {
    for (var memory : memories(target.thread())) {
      // One that was begun later begins anew, and is there if that is taken back.
      var at = asOf(memory.lineage(), seq);
      sql.update(
          "insert into rewind (lineage, seq, head) values (?, ?, ?)",
          memory.lineage(),
          made,
          at.map(At::seq).orElse(GONE));
      var lineage = new Lineage(name, memory.namespace());
      sql.update(
          "update lineage set head = ?, digest = ? where id = ?",
          at.map(At::seq).orElse(null),
          at.map(kept -> Lineages.digest(lineage, kept.id())).orElse(null),
          memory.lineage());
    }
  }

  // --- Copies ---

  public static boolean copy(Sql sql, Lease lease, String source) throws SQLException {
    var threadRow = Leases.lock(sql, lease, 0);
    return new Forks(sql, threadRow, lease.thread()).copyOf(source);
  }

  private boolean copyOf(String other) throws SQLException {
    if (!Lineages.isEmpty(sql, target.thread())) return false;
    var source = source(other);
    if (source.isEmpty() || Lineages.isEmpty(sql, source.get().id())) return false;
    Families.join(sql, target, source.get().family());
    long from = source.get().id();
    // What was saved ahead of its checkpoint gives way.
    Deletion.lineages(sql, Deletion.all(sql, target.thread()));
    sql.update(
        "insert into lineage (thread, namespace)"
            + " select ?, namespace from lineage where thread = ? order by id",
        target.thread(),
        from);
    sql.update(
        "insert into run (thread, name) select ?, name from run where thread = ? order by id",
        target.thread(),
        from);
    copyCheckpoints(from);
    copyRows("task", "checkpoint, task, node, finished, \"end\"", from);
    copyRows("step", "checkpoint, task, key, json", from);
    copyRows("answer", "checkpoint, interrupt, json", from);
    return true;
  }

  private record Rewind(String namespace, long seq, long head) {}

  private void copyCheckpoints(long source) throws SQLException {
    sql.update(
        """
        insert into checkpoint (lineage, id, parent, generation, step, source, format, graph, run,
          at, taken_over, body, channels, memories, digest, channels_digest)
        select n.id, c.id, c.parent, c.generation, c.step, c.source, c.format, c.graph, w.id, c.at,
          c.taken_over, c.body, c.channels, c.memories, c.digest, c.channels_digest
        from checkpoint c
          join lineage l on l.id = c.lineage
          join lineage n on n.thread = ? and n.namespace = l.namespace
          join run r on r.id = c.run
          join run w on w.thread = n.thread and w.name = r.name
        where l.thread = ? order by c.seq
        """,
        target.thread(),
        source);
    var places = places(source);
    copyHeads(source, places);
    copyRewinds(source, places);
  }

  /// Where the copies of checkpoints are.
  private NavigableMap<Long, Long> places(long source) throws SQLException {
    var pairs =
        sql.all(
            """
            select c.seq, d.seq
            from checkpoint c
              join lineage l on l.id = c.lineage
              join lineage n on n.thread = ? and n.namespace = l.namespace
              join checkpoint d on d.lineage = n.id and d.id = c.id
            where l.thread = ?
            """,
            row -> Map.entry(row.getLong(1), row.getLong(2)),
            target.thread(),
            source);
    var places = new TreeMap<Long, Long>();
    for (var pair : pairs) places.put(pair.getKey(), pair.getValue());
    return places;
  }

  private void copyHeads(long source, NavigableMap<Long, Long> places) throws SQLException {
    var heads =
        sql.all(
            "select l.namespace, l.head, c.id from lineage l"
                + " left join checkpoint c on c.seq = l.head"
                + " where l.thread = ? and l.head is not null",
            row -> Map.entry(row.getString(1), new At(row.getLong(2), row.getString(3))),
            source);
    var rows = new ArrayList<List<Object>>();
    for (var head : heads) {
      var place = places.get(head.getValue().seq());
      if (place == null) throw UnreadableData.head(Lineage.of(name));
      long digest = Lineages.digest(new Lineage(name, head.getKey()), head.getValue().id());
      rows.add(List.of(place, digest, target.thread(), head.getKey()));
    }
    sql.batch("update lineage set head = ?, digest = ? where thread = ? and namespace = ?", rows);
  }

  private void copyRewinds(long source, NavigableMap<Long, Long> places) throws SQLException {
    var rewinds =
        sql.all(
            "select l.namespace, w.seq, w.head from rewind w join lineage l on l.id = w.lineage"
                + " where l.thread = ? order by w.seq",
            row -> new Rewind(row.getString(1), row.getLong(2), row.getLong(3)),
            source);
    var rows = new ArrayList<List<Object>>();
    for (var rewind : rewinds) {
      // The checkpoint that was made then may be gone; it comes after the same ones.
      var at = places.floorEntry(rewind.seq());
      if (at == null) continue;
      long head = places.getOrDefault(rewind.head(), GONE);
      rows.add(List.of(at.getValue(), head, target.thread(), rewind.namespace()));
    }
    sql.batch(
        "insert into rewind (lineage, seq, head)"
            + " select id, cast(? as bigint), cast(? as bigint) from lineage"
            + " where thread = ? and namespace = ?"
            + " on conflict (lineage, seq) do update set head = excluded.head",
        rows);
  }

  private void copyRows(String table, String columns, long source) throws SQLException {
    sql.update(
        """
        insert into %1$s (lineage, %2$s, digest)
        select n.id, %2$s, x.digest from %1$s x
          join lineage l on l.id = x.lineage
          join lineage n on n.thread = ? and n.namespace = l.namespace
        where l.thread = ? order by x.id
        """
            .formatted(table, columns),
        target.thread(),
        source);
  }
}
