package dev.superstep.store.jdbc.rows;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.sql.ChannelRefs;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place;
import dev.superstep.store.jdbc.sql.ChannelRefs.Ref;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The references of a checkpoint while the next one is made of them. Few are written with each
/// checkpoint. Many are a log: its first item holds all of them, and each further item those that a
/// checkpoint changed; when these have become as many as all, a new log begins. So what is written
/// is O(changes), amortised, and what is read O(channels). One thread at a time.
final class RefLog {
  // Of characters; so few cost less than a row of their own.
  private static final int SMALL_MAX = 2_000;
  private static final Codec<Header> HEADERS = Codec.of(Header.class);

  private final Map<Long, Ref> refs;
  private final @Nullable Header header;

  /// The position of a checkpoint's references in a log, stored in place of the references.
  ///
  /// @param all how many references the first item of the log has
  /// @param since how many all further ones have
  record Header(long log, int length, int all, int since) {
    Place.Prefix prefix() {
      return new Place.Prefix(log, length);
    }
  }

  private RefLog(Map<Long, Ref> refs, @Nullable Header header) {
    this.refs = refs;
    this.header = header;
  }

  /// Returns the position of the references in a log, if they are many.
  static Optional<Header> header(String text) {
    if (!text.startsWith("{")) return Optional.empty();
    var header = HEADERS.decode(Json.unchecked(text));
    if (header.length() > 0) return Optional.of(header);
    throw new IllegalArgumentException("the log of its references has no items");
  }

  /// The references of a checkpoint.
  ///
  /// @param text as it is stored with the checkpoint
  static ChannelRefs read(Sql sql, String text) throws SQLException {
    var header = header(text);
    return header.isEmpty()
        ? ChannelRefs.parse(text)
        : new ChannelRefs(folded(ListLogs.read(sql, header.get().prefix())));
  }

  /// Folds the items of a log into references.
  static Map<Long, Ref> folded(List<Json> items) {
    var refs = new LinkedHashMap<Long, Ref>();
    for (var item : items) refs.putAll(ChannelRefs.parse(item.text()).refs());
    return refs;
  }

  /// Opens a checkpoint's references for the next checkpoint to change.
  ///
  /// @param checkpoint its place in the order of the store, if there is one
  static RefLog open(Sql sql, Optional<Long> checkpoint, String text) throws SQLException {
    var header = header(text).orElse(null);
    var known = header == null ? null : checkpoint.map(sql.ids().refs()::remove).orElse(null);
    if (known != null) return new RefLog(known, header);
    return new RefLog(new LinkedHashMap<>(read(sql, text).refs()), header);
  }

  Optional<Place> place(long channel) {
    return Optional.ofNullable(refs.get(channel)).map(Ref::place);
  }

  Set<Long> channels() {
    return refs.keySet();
  }

  @Nullable Ref ref(long channel) {
    return refs.get(channel);
  }

  /// Keeps in memory what a later checkpoint refers to, which was read.
  ///
  /// @param text the text stored with it
  void readOn(Sql sql, long checkpoint, String text, Map<Long, Ref> changed, Map<Long, Ref> grown) {
    if (header(text).isEmpty()) return;
    refs.putAll(changed);
    refs.putAll(grown);
    sql.ids().refs().put(checkpoint, refs);
  }

  /// Writes what the next checkpoint changes.
  ///
  /// @return the text to store with it
  String next(ListLogs logs, Map<Long, Ref> changed) throws SQLException {
    refs.putAll(changed);
    if (header == null) {
      var text = new ChannelRefs(refs).text();
      return text.length() <= SMALL_MAX ? text : startLog(logs, text);
    }
    if (changed.isEmpty()) return HEADERS.encode(header).text();
    int since = header.since() + changed.size();
    if (since > header.all()) return startLog(logs, new ChannelRefs(refs).text());
    var item = List.of(Json.unchecked(new ChannelRefs(changed).text()));
    var place = logs.grow(logs.prepareGrowth(header.prefix(), header.length(), item));
    return HEADERS.encode(new Header(place.log(), place.length(), header.all(), since)).text();
  }

  private String startLog(ListLogs logs, String text) throws SQLException {
    var all = List.of(Json.unchecked(text));
    var place = logs.grow(logs.prepareGrowth(Place.Prefix.NONE, 0, all));
    return HEADERS.encode(new Header(place.log(), place.length(), refs.size(), 0)).text();
  }

  /// Keeps in memory what the next checkpoint refers to, once that is committed.
  ///
  /// @param text the text stored with it
  void remember(Sql sql, PendingResult<Long> checkpoint, String text) {
    if (header(text).isEmpty()) return;
    sql.afterCommit(
        () -> checkpoint.firstIfSent().ifPresent(seq -> sql.ids().refs().put(seq, refs)));
  }
}
