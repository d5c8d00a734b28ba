package dev.superstep.store.jdbc;

import dev.superstep.json.Json;
import dev.superstep.store.jdbc.ChannelRefs.Place.Prefix;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Lists that are stored item by item. A list that grows adds rows to its log. One that is cut, or
/// grows from an earlier point, gets a new log based on what it keeps of the old one, so that every
/// old list stays readable and hardly anything is copied.
///
/// The chain of bases stays short by a rule: when a log is added, each part of the chain is longer
/// than all that follow it together; parts that are not are copied into the new log. So a chain of
/// n items has at most log2(n) parts, and an item is copied at most log2(n) times over its life.
final class Logs {
  // Twice what the rule allows; stops at chains that this class did not write.
  private static final int PARTS_MAX = 64;

  private Logs() {}

  /// The items of a log from `from` up to, not including, `to`.
  private record Part(long log, int from, int to) {
    int size() {
      return to - from;
    }
  }

  static Prefix start(Sql sql, long lineage, List<Json> items) throws SQLException {
    var log = add(sql, lineage, Optional.empty());
    append(sql, log, 0, items);
    return new Prefix(log, items.size());
  }

  /// The first `kept` items of a list and then the added ones.
  static Prefix next(Sql sql, long lineage, Prefix old, int kept, List<Json> added)
      throws SQLException {
    if (added.isEmpty()) return new Prefix(old.log(), kept);
    int length = Math.addExact(kept, added.size());
    if (kept == old.length() && endsAt(sql, old)) {
      append(sql, old.log(), kept, added);
      return new Prefix(old.log(), length);
    }
    var parts = parts(sql, new Prefix(old.log(), kept));
    int copied = copiedFrom(parts, added.size());
    var base = copied == 0 ? Optional.<Part>empty() : Optional.of(parts.get(copied - 1));
    var log = add(sql, lineage, base);
    for (var part : parts.subList(copied, parts.size())) copy(sql, part, log);
    append(sql, log, kept, added);
    return new Prefix(log, length);
  }

  static List<Json> read(Sql sql, Prefix prefix) throws SQLException {
    var items = new ArrayList<Json>();
    for (var part : parts(sql, prefix)) {
      items.addAll(
          sql.all(
              "select json, json_valid(json) from log_item"
                  + " where log = ? and idx >= ? and idx < ? order by idx",
              Texts::checked,
              part.log(),
              part.from(),
              part.to()));
    }
    if (items.size() != prefix.length()) {
      throw new Unreadable(
          "a log of it has %d items instead of %d".formatted(items.size(), prefix.length()));
    }
    return items;
  }

  private static boolean endsAt(Sql sql, Prefix prefix) throws SQLException {
    var later = "select 1 from log_item where log = ? and idx >= ? limit 1";
    return sql.first(later, row -> row.getInt(1), prefix.log(), prefix.length()).isEmpty();
  }

  /// Which logs hold the items of a list, in the order of the items.
  private static List<Part> parts(Sql sql, Prefix prefix) throws SQLException {
    var parts = new ArrayList<Part>();
    var at = Optional.of(prefix.log());
    int to = prefix.length();
    for (int links = 0; at.isPresent() && to > 0; links++) {
      if (links == PARTS_MAX) throw new Unreadable("its chain of logs has no end");
      var part = part(sql, at.get(), to);
      if (part.size() > 0) parts.addFirst(part);
      to = part.from();
      at = base(sql, part.log());
    }
    return parts;
  }

  private static Part part(Sql sql, long log, int to) throws SQLException {
    int start =
        sql.first("select base_length from log where id = ?", row -> row.getInt(1), log)
            .orElseThrow(() -> new Unreadable("its log " + log + " is missing"));
    return new Part(log, Math.clamp(start, 0, to), to);
  }

  private static Optional<Long> base(Sql sql, long log) throws SQLException {
    var base = "select base from log where id = ? and base is not null";
    return sql.first(base, row -> row.getLong(1), log);
  }

  /// The first part that is not longer than all that follows it.
  private static int copiedFrom(List<Part> parts, int added) {
    long following = added;
    int from = parts.size();
    for (int i = parts.size() - 1; i >= 0; i--) {
      int size = parts.get(i).size();
      if (size <= following) from = i;
      following += size;
    }
    return from;
  }

  private static long add(Sql sql, long lineage, Optional<Part> base) throws SQLException {
    return sql.insert(
        "insert into log (lineage, base, base_length) values (?, ?, ?) returning id",
        lineage,
        base.map(Part::log).orElse(null),
        base.map(Part::to).orElse(0));
  }

  private static void copy(Sql sql, Part part, long log) throws SQLException {
    sql.update(
        "insert into log_item (log, idx, json)"
            + " select ?, idx, json from log_item where log = ? and idx >= ? and idx < ?",
        log,
        part.log(),
        part.from(),
        part.to());
  }

  private static void append(Sql sql, long log, int from, Collection<Json> items)
      throws SQLException {
    int index = from;
    for (var item : items) {
      sql.update(
          "insert into log_item (log, idx, json) values (?, ?, ?)", log, index, Texts.of(item));
      index++;
    }
  }
}
