package dev.superstep.store.jdbc.sql;

import dev.superstep.checkpoint.Checkpoint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// A cache of the keys of channels and graphs. They are never changed or deleted, so a key that was
/// committed once stays valid. Safe for many threads.
public final class RowIds {
  private static final int KNOWN_MAX = 10_000;

  private final Map<String, Long> channels = new ConcurrentHashMap<>();
  private final Map<Long, String> channelNames = new ConcurrentHashMap<>();
  private final Map<Shape, Long> graphs = new ConcurrentHashMap<>();
  private final Map<Long, Boolean> described = new ConcurrentHashMap<>();

  private final RefCache refs = new RefCache();
  private final HeadCache heads = new HeadCache();
  private final TokenBlock tokens = new TokenBlock();
  private final RecentLogs logs = new RecentLogs();

  private record Shape(String graph, String hash) {}

  public RefCache refs() {
    return refs;
  }

  public HeadCache heads() {
    return heads;
  }

  public TokenBlock tokens() {
    return tokens;
  }

  public RecentLogs logs() {
    return logs;
  }

  /// The keys of channels, in the order of their names; those that are missing are added.
  public List<Long> channels(Sql sql, Collection<String> names) throws SQLException {
    var keys = new TreeMap<String, Long>();
    // Sorted, so that two who add the same ones never wait for each other.
    for (var name : new TreeSet<>(names)) {
      var known = channels.get(name);
      keys.put(name, known == null ? channel(sql, name) : known);
    }
    return names.stream().map(keys::get).toList();
  }

  private long channel(Sql sql, String name) throws SQLException {
    var find = "select id from channel where name = ?";
    var found = sql.first(find, row -> row.getLong(1), name);
    long key = found.isPresent() ? found.get() : added(sql, find, name);
    sql.afterCommit(() -> remember(channels, name, key));
    return key;
  }

  private static long added(Sql sql, String find, String name) throws SQLException {
    var add = "insert into channel (name) values (?) on conflict do nothing returning id";
    long key = addOrFind(sql, find, add, name);
    sql.write("update channel set digest = ? where id = ?", digest(key, name), key);
    return key;
  }

  private static long digest(long channel, String name) {
    return Digest.of("channel", channel, name);
  }

  private record Channel(long key, String name, Optional<Long> digest) {
    static Channel of(ResultSet row) throws SQLException {
      return new Channel(row.getLong(1), row.getString(2), Digest.read(row, 3));
    }

    void check() {
      Digest.check(digest, RowIds.digest(key, name), "the name of its channel `" + name + "`");
    }
  }

  /// The names of channels by key; those that do not exist are missing.
  public Map<Long, String> names(Sql sql, Collection<Long> keys) throws SQLException {
    var names = new HashMap<Long, String>();
    var unknown = new ArrayList<Object>();
    for (var key : keys) {
      var known = channelNames.get(key);
      if (known == null) unknown.add(key);
      else names.put(key, known);
    }
    if (unknown.isEmpty()) return names;
    var found =
        sql.all(
            "select id, name, digest from channel where id in " + Sql.places(unknown.size()),
            Channel::of,
            unknown.toArray());
    for (var one : found) {
      one.check();
      names.put(one.key(), one.name());
      remember(channelNames, one.key(), one.name());
    }
    return names;
  }

  public long graph(Sql sql, Checkpoint checkpoint) throws SQLException {
    var shape = new Shape(checkpoint.graph(), checkpoint.graphHash());
    var known = graphs.get(shape);
    if (known != null) return known;
    long key =
        findOrAdd(
            sql,
            "select id from graph where name = ? and hash = ?",
            "insert into graph (name, hash) values (?, ?) on conflict do nothing returning id",
            shape.graph(),
            shape.hash());
    sql.afterCommit(() -> remember(graphs, shape, key));
    return key;
  }

  /// Returns true if the topology of a graph is known to be stored.
  public boolean isDescribed(long graph) {
    return described.containsKey(graph);
  }

  /// Notes that a graph's topology is stored; it is never deleted.
  public void markDescribed(long graph) {
    remember(described, graph, true);
  }

  public static long findOrAdd(Sql sql, String find, String add, Object... arguments)
      throws SQLException {
    var found = sql.first(find, row -> row.getLong(1), arguments);
    return found.isPresent() ? found.get() : addOrFind(sql, find, add, arguments);
  }

  public static long addOrFind(Sql sql, String find, String add, Object... arguments)
      throws SQLException {
    var added = sql.first(add, row -> row.getLong(1), arguments);
    if (added.isPresent()) return added.get();
    // Somebody else added it in between, and has committed by now.
    return sql.first(find, row -> row.getLong(1), arguments).orElseThrow();
  }

  private static <K, V> void remember(Map<K, V> known, K key, V value) {
    if (known.size() < KNOWN_MAX) known.put(key, value);
  }

  /// Returns a row of arguments for each value.
  public static List<List<Object>> each(Collection<?> values) {
    return values.stream().map(value -> List.<Object>of(value)).toList();
  }
}
