package dev.superstep.store.jdbc.rows;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.store.Item;
import dev.superstep.store.Meaning;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Ranking;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The items of a store. All that comes from outside is an argument, never a part of a statement.
final class ItemRows {
  private static final String COLUMNS =
      "namespace, key, value, version, created, updated, expires, embedder, vector";
  private static final String LIVE = " (expires is null or expires > ?)";
  private static final String RANGE = " and namespace >= ? and namespace < ?";

  private ItemRows() {}

  static Optional<Item> find(Sql sql, Namespace namespace, String key, Instant now)
      throws SQLException {
    return sql.first(
        "select " + COLUMNS + " from item where namespace = ? and key = ? and" + LIVE,
        ItemRows::item,
        namespace.path(),
        key,
        micros(now));
  }

  /// Restarts the time to live of an item, if reads do that and it was not put again meanwhile.
  static Item renewed(Sql sql, Item item, Instant now) throws SQLException {
    if (item.expires().isEmpty()) return item;
    return sql.first(
            "update item set expires = ? + life where namespace = ? and key = ?"
                + " and version = ? and life is not null returning expires",
            row -> withExpiry(item, instant(row.getLong(1))),
            micros(now),
            item.namespace().path(),
            item.key(),
            item.version())
        .orElse(item);
  }

  /// Takes the lock that a transaction needs before it changes several items.
  static void lockForMany(Sql sql) throws SQLException {
    sql.first(sql.dialect().oneOfMany(), _ -> true);
  }

  /// An item to write.
  record Writing(Put put, Optional<Meaning> meaning, Instant now) {}

  static Item put(Sql sql, Writing writing) throws SQLException {
    return insert(sql, writing, "").orElseThrow();
  }

  static Optional<Item> putIfAbsent(Sql sql, Writing writing) throws SQLException {
    return insert(sql, writing, " where item.expires <= excluded.updated");
  }

  /// An update, never an insert: the item may be deleted at this moment.
  static Optional<Item> putIfVersion(Sql sql, Writing writing, long version) throws SQLException {
    var put = writing.put();
    var arguments = written(sql, writing);
    arguments.addAll(List.of(put.namespace().path(), put.key(), version, micros(writing.now())));
    return sql.first(
        """
        update item set
          value = ?, version = ?, updated = ?, expires = ?, life = ?, embedder = ?, vector = ?
        where namespace = ? and key = ? and version = ? and (expires is null or expires > ?)
        returning version, created
        """,
        row -> item(writing, row),
        arguments.toArray());
  }

  private static Optional<Item> insert(Sql sql, Writing writing, String condition)
      throws SQLException {
    var put = writing.put();
    var arguments = new ArrayList<@Nullable Object>();
    arguments.addAll(List.of(put.namespace().path(), put.key(), micros(writing.now())));
    arguments.addAll(written(sql, writing));
    return sql.first(
        """
        insert into item
          (namespace, key, created, value, version, updated, expires, life, embedder, vector)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (namespace, key) do update set
          value = excluded.value, version = %s,
          created = case when item.expires <= excluded.updated
            then excluded.created else item.created end,
          updated = excluded.updated, expires = excluded.expires, life = excluded.life,
          embedder = excluded.embedder, vector = excluded.vector
        %s returning version, created
        """
            .formatted(sql.dialect().versionInPlace(), condition),
        row -> item(writing, row),
        arguments.toArray());
  }

  private static Item item(Writing writing, ResultSet row) throws SQLException {
    var put = writing.put();
    return new Item(
        put.namespace(),
        put.key(),
        put.value(),
        row.getLong(1),
        instant(row.getLong(2)),
        writing.now(),
        Optional.ofNullable(expires(writing)).map(ItemRows::instant));
  }

  private static @Nullable Long expires(Writing writing) {
    return writing.put().ttl().map(life -> micros(writing.now()) + micros(life)).orElse(null);
  }

  /// Collects the columns that a write changes, in the order in which both statements name them.
  private static List<@Nullable Object> written(Sql sql, Writing writing) throws SQLException {
    var put = writing.put();
    var arguments = new ArrayList<@Nullable Object>();
    arguments.add(put.value().text());
    arguments.add(sql.first(sql.dialect().nextVersion(), row -> row.getLong(1)).orElseThrow());
    arguments.add(micros(writing.now()));
    arguments.add(expires(writing));
    arguments.add(put.isRenewedByReads() ? put.ttl().map(ItemRows::micros).orElse(null) : null);
    arguments.add(writing.meaning().map(Meaning::embedder).orElse(null));
    arguments.add(writing.meaning().map(Meaning::numbers).orElse(null));
    return arguments;
  }

  static boolean delete(Sql sql, Namespace namespace, String key, Instant now) throws SQLException {
    return sql.first(
            "delete from item where namespace = ? and key = ? returning expires",
            row -> row.getLong(1) > micros(now) || row.wasNull(),
            namespace.path(),
            key)
        .orElse(false);
  }

  static void rank(Sql sql, Namespace within, Instant now, Ranking ranking) throws SQLException {
    sql.each(
        "select " + COLUMNS + " from item where" + LIVE + range(within),
        row -> ranking.offer(item(row), meaning(row)),
        liveIn(within, now));
  }

  static List<Namespace> namespaces(Sql sql, Namespace within, Instant now) throws SQLException {
    return sql.all(
        "select distinct namespace from item where" + LIVE + range(within),
        row -> namespace(row.getString(1)),
        liveIn(within, now));
  }

  static int sweep(Sql sql, Instant now) throws SQLException {
    lockForMany(sql);
    return sql.update("delete from item where expires <= ?", micros(now));
  }

  private static String range(Namespace within) {
    return within.labels().isEmpty() ? "" : RANGE;
  }

  private static Object[] liveIn(Namespace within, Instant now) {
    var arguments = new ArrayList<Object>(List.of(micros(now)));
    var path = within.path();
    if (!path.isEmpty()) {
      arguments.add(path);
      // The path ends in a slash, after which comes the digit zero.
      arguments.add(path.substring(0, path.length() - 1) + '0');
    }
    return arguments.toArray();
  }

  private static Item item(ResultSet row) throws SQLException {
    var namespace = namespace(row.getString(1));
    var key = row.getString(2);
    long expires = row.getLong(7);
    boolean stays = row.wasNull();
    return new Item(
        namespace,
        key,
        value(namespace, key, row.getString(3)),
        row.getLong(4),
        instant(row.getLong(5)),
        instant(row.getLong(6)),
        stays ? Optional.empty() : Optional.of(instant(expires)));
  }

  private static Optional<Meaning> meaning(ResultSet row) throws SQLException {
    var embedder = row.getString(8);
    return embedder == null ? Optional.empty() : Optional.of(Meaning.of(embedder, row.getBytes(9)));
  }

  private static Item withExpiry(Item item, Instant expires) {
    return new Item(
        item.namespace(),
        item.key(),
        item.value(),
        item.version(),
        item.created(),
        item.updated(),
        Optional.of(expires));
  }

  private static Namespace namespace(String path) {
    try {
      return Namespace.ofPath(path);
    } catch (SuperstepException e) {
      throw UnreadableData.damaged("an item of it cannot be read: " + e.getMessage());
    }
  }

  private static Json value(Namespace namespace, String key, String text) {
    try {
      // Only checks it: another form of the same value would not be what was put.
      return SqlText.checked(text);
    } catch (SuperstepException e) {
      throw UnreadableData.damaged(
          "item `%s` in `%s` cannot be read: %s".formatted(key, namespace, e.getMessage()));
    }
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private static long micros(Duration life) {
    return micros(Instant.EPOCH.plus(life));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
