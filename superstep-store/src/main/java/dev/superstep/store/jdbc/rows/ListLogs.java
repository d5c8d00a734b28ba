package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place.Prefix;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Lists that are stored item by item. A list that grows adds rows to its log. One that is cut, or
/// grows from an earlier point, gets a new log based on what it keeps of the old one, so that every
/// old list stays readable and hardly anything is copied.
///
/// The chain of bases stays short by a rule: when a log is added, each part of the chain is longer
/// than all that follow it together; parts that are not are copied into the new log. So a chain of
/// n items has at most log2(n) parts, and an item is copied at most log2(n) times over its life.
///
/// Only the lineage that began a log adds to it, so that two threads that share it never add at the
/// same time.
final class ListLogs {
  // Twice what the rule allows; stops at chains that this class did not write.
  private static final int PARTS_MAX = 64;

  private static final String ADD_TO_OPEN =
      """
      insert into log_item (log, idx, json, digest) select ?, ?, ?, ?
      where exists (select 1 from log where id = ? and lineage = ?)
        and not exists (select 1 from log_item where log = ? and idx >= ?)
      """;

  private final Sql sql;
  private final long family;
  private final long lineage;
  private final Map<Prefix, PendingResult<Integer>> probes;
  private final List<Prefix> grown = new ArrayList<>();

  /// Creates the logs that a lineage writes.
  ///
  /// @param probes answers to [#openAt] that are known, or under way
  ListLogs(Sql sql, long family, long lineage, Probes probes) {
    this.sql = sql;
    this.family = family;
    this.lineage = lineage;
    this.probes = probes.lineage() == lineage ? probes.open() : Map.of();
  }

  /// Questions about the logs of a lineage, asked before it is known which of them will grow.
  record Probes(long lineage, Map<Prefix, PendingResult<Integer>> open) {
    static final Probes NONE = new Probes(0, Map.of());
  }

  /// Asks about the lists that grew last. The thread must be locked, or be about to be.
  static Probes probe(Sql sql, Lineage name) throws SQLException {
    var recent = sql.ids().logs().of(name);
    if (recent.isEmpty()) return Probes.NONE;
    var open = new HashMap<Prefix, PendingResult<Integer>>();
    for (var list : recent.get().lists()) {
      open.put(list, openAt(sql, recent.get().lineage(), list));
    }
    return new Probes(recent.get().lineage(), open);
  }

  /// Keeps in memory which lists grew, once that is committed.
  void remember(Lineage name) {
    if (sql.dialect().isRemote()) {
      sql.afterCommit(() -> sql.ids().logs().put(name, lineage, grown));
    }
  }

  /// The items of a log from `from` up to, not including, `to`.
  private record Part(long log, int from, int to) {
    int size() {
      return to - from;
    }
  }

  /// A list that becomes the first `kept` items of an old one and then the added ones.
  ///
  /// @param open gives a row if the old one's log ends where the added ones begin
  record Growth(Prefix old, int kept, List<Json> added, Optional<PendingResult<Integer>> open) {
    int length() {
      return Math.addExact(kept, added.size());
    }
  }

  /// Queues the query that growing the list needs; several are sent together. Where nothing has a
  /// way to go, the first item is added on that condition.
  Growth prepareGrowth(Prefix old, int kept, List<Json> added) throws SQLException {
    boolean asks =
        sql.dialect().isRemote()
            && !old.equals(Prefix.NONE)
            && !added.isEmpty()
            && kept == old.length();
    return new Growth(old, kept, added, asks ? Optional.of(open(old)) : Optional.empty());
  }

  Prefix grow(Growth growth) throws SQLException {
    var list = grownList(growth);
    grown.add(list);
    return list;
  }

  private Prefix grownList(Growth growth) throws SQLException {
    var old = growth.old();
    int kept = growth.kept();
    var added = growth.added();
    if (old.equals(Prefix.NONE)) {
      var log = add(Optional.empty());
      append(log, 0, added);
      return new Prefix(log, growth.length());
    }
    if (added.isEmpty()) return new Prefix(old.log(), kept);
    if (growth.open().isPresent() && growth.open().get().first().isPresent()) {
      append(old.log(), kept, added);
      return new Prefix(old.log(), growth.length());
    }
    if (!sql.dialect().isRemote() && kept == old.length() && addedToOpen(old, added.getFirst())) {
      append(old.log(), kept + 1, added.subList(1, added.size()));
      return new Prefix(old.log(), growth.length());
    }
    var parts = parts(sql, new Prefix(old.log(), kept));
    int copied = copiedFrom(parts, added.size());
    var base = copied == 0 ? Optional.<Part>empty() : Optional.of(parts.get(copied - 1));
    var log = add(base);
    for (var part : parts.subList(copied, parts.size())) copy(part, log);
    append(log, kept, added);
    return new Prefix(log, growth.length());
  }

  static List<Json> read(Sql sql, Prefix prefix) throws SQLException {
    return read(sql, prefix, 0);
  }

  /// The items of a list from `first` on.
  static List<Json> read(Sql sql, Prefix prefix, int first) throws SQLException {
    return prefetch(sql, prefix, first).items();
  }

  static Reading prefetch(Sql sql, Prefix prefix) throws SQLException {
    return prefetch(sql, prefix, 0);
  }

  private static Reading prefetch(Sql sql, Prefix prefix, int first) throws SQLException {
    return new Reading(sql, prefix, first, link(sql, prefix.log()), own(sql, prefix, first));
  }

  /// A list whose items are under way, from `first` on.
  ///
  /// @param own the items in its own log; the others are in those on which that is based
  record Reading(
      Sql sql, Prefix list, int first, PendingResult<Link> link, PendingResult<Json> own) {
    List<Json> items() throws SQLException {
      var parts = new ArrayDeque<List<Json>>();
      var at = list.length() == 0 ? Optional.<Reading>empty() : Optional.of(this);
      for (int links = 0; at.isPresent(); links++) {
        if (links == PARTS_MAX) throw endless();
        parts.addFirst(at.get().own().all());
        at = at.get().base();
      }
      var items = parts.stream().flatMap(List::stream).toList();
      if (items.size() == list.length() - first) return items;
      throw UnreadableData.damaged(
          "a log of it has %d items instead of %d".formatted(first + items.size(), list.length()));
    }

    /// The part of the list that is before its own log.
    private Optional<Reading> base() throws SQLException {
      var link = linked(list.log(), this.link);
      int length = Math.clamp(link.baseLength(), 0, list.length());
      if (link.base().isEmpty() || length <= first) return Optional.empty();
      return Optional.of(prefetch(sql, new Prefix(link.base().get(), length), first));
    }
  }

  private static PendingResult<Json> own(Sql sql, Prefix prefix, int first) throws SQLException {
    return sql.prefetch(
        "select json, "
            + sql.dialect().isJson("json")
            + ", idx, digest from log_item where log = ? and idx >= ? and idx < ? order by idx",
        row -> item(row, prefix.log()),
        prefix.log(),
        first,
        prefix.length());
  }

  private PendingResult<Integer> open(Prefix prefix) throws SQLException {
    var probe = probes.get(prefix);
    return probe == null ? openAt(sql, lineage, prefix) : probe;
  }

  private static PendingResult<Integer> openAt(Sql sql, long lineage, Prefix prefix)
      throws SQLException {
    return sql.defer(
        "select 1 from log where id = ? and lineage = ?"
            + " and not exists (select 1 from log_item where log = ? and idx >= ?)",
        row -> row.getInt(1),
        prefix.log(),
        lineage,
        prefix.log(),
        prefix.length());
  }

  /// Adds an item if the log ends there and belongs to this lineage.
  private boolean addedToOpen(Prefix prefix, Json item) throws SQLException {
    var text = SqlText.of(item);
    return sql.update(
            ADD_TO_OPEN,
            prefix.log(),
            prefix.length(),
            text,
            digest(prefix.log(), prefix.length(), text),
            prefix.log(),
            lineage,
            prefix.log(),
            prefix.length())
        > 0;
  }

  /// Returns the parts of logs that hold the items of a list, in the order of the items.
  private static List<Part> parts(Sql sql, Prefix prefix) throws SQLException {
    var parts = new ArrayList<Part>();
    var at = Optional.of(prefix.log());
    int to = prefix.length();
    for (int links = 0; at.isPresent() && to > 0; links++) {
      if (links == PARTS_MAX) throw endless();
      var link = linked(at.get(), link(sql, at.get()));
      var part = new Part(at.get(), Math.clamp(link.baseLength(), 0, to), to);
      if (part.size() > 0) parts.addFirst(part);
      to = part.from();
      at = link.base();
    }
    return parts;
  }

  private record Link(Optional<Long> base, int baseLength) {}

  private static UnreadableData endless() {
    return UnreadableData.damaged("its chain of logs has no end");
  }

  private static PendingResult<Link> link(Sql sql, long log) throws SQLException {
    return sql.prefetch(
        "select base_length, base, digest from log where id = ?",
        row -> {
          int length = row.getInt(1);
          var base = Digest.read(row, 2);
          Digest.check(Digest.read(row, 3), digest(log, base, length), "its log " + log);
          return new Link(base, length);
        },
        log);
  }

  private static Link linked(long log, PendingResult<Link> link) throws SQLException {
    return link.first().orElseThrow(() -> UnreadableData.damaged("its log " + log + " is missing"));
  }

  private static long digest(long log, Optional<Long> base, int baseLength) {
    // All that begin with nothing are alike.
    return base.isEmpty() ? Digest.of("log", baseLength) : Digest.of("log", log, base, baseLength);
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

  private long add(Optional<Part> base) throws SQLException {
    var from = base.map(Part::log);
    int length = base.map(Part::to).orElse(0);
    long log =
        sql.insert(
            "insert into log (family, lineage, base, base_length, digest)"
                + " values (?, ?, ?, ?, ?) returning id",
            family,
            lineage,
            from.orElse(null),
            length,
            digest(0, from, length));
    if (base.isPresent()) {
      sql.write("update log set digest = ? where id = ?", digest(log, from, length), log);
    }
    return log;
  }

  private void copy(Part part, long log) throws SQLException {
    sql.write(
        // What differs between the digests in one log and in the other is the same for all items.
        "insert into log_item (log, idx, json, digest)"
            + " select ?, idx, json, (digest | ?) - (digest & ?)"
            + " from log_item where log = ? and idx >= ? and idx < ?",
        log,
        place(part.log()) ^ place(log),
        place(part.log()) ^ place(log),
        part.log(),
        part.from(),
        part.to());
  }

  private void append(long log, int from, List<Json> items) throws SQLException {
    var rows = new ArrayList<List<Object>>();
    for (var item : items) {
      int index = from + rows.size();
      var text = SqlText.of(item);
      rows.add(List.of(log, index, text, digest(log, index, text)));
    }
    sql.batch("insert into log_item (log, idx, json, digest) values (?, ?, ?, ?)", rows);
  }

  private static long digest(long log, int index, String json) {
    return Digest.of("item", index, json) ^ place(log);
  }

  private static long place(long log) {
    return Digest.of("items of", log);
  }

  private static Json item(ResultSet row, long log) throws SQLException {
    int index = row.getInt(3);
    Digest.check(Digest.read(row, 4), digest(log, index, row.getString(1)), "an item of a list");
    return SqlText.checked(row);
  }
}
