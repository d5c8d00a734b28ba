package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.store.jdbc.sql.ChannelRefs;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place;
import dev.superstep.store.jdbc.sql.ChannelRefs.Ref;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what checkpoints changed against their parents.
public final class ChangeRows {
  private static final String BOTH =
      "select c.channels, p.channels, c.seq, p.seq, c.channels_digest, p.channels_digest, p.id"
          + " from thread t join lineage l on l.thread = t.id"
          + " join checkpoint c on c.lineage = l.id"
          + " join checkpoint p on p.lineage = l.id and p.id = c.parent"
          + " where t.name = ? and l.namespace = ? and c.id = ?";

  private ChangeRows() {}

  private record Both(String after, String before, long seq, long parent) {
    static Both of(ResultSet row, String id) throws SQLException {
      var both = new Both(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4));
      CheckpointRows.checkChannels(Digest.read(row, 5), id, both.after());
      CheckpointRows.checkChannels(Digest.read(row, 6), row.getString(7), both.before());
      return both;
    }
  }

  public static Optional<List<ChannelChange>> changes(Sql sql, Lineage lineage, String id)
      throws SQLException {
    return CheckpointQueries.trusted(
        lineage,
        id,
        () -> {
          var both =
              sql.first(BOTH, row -> Both.of(row, id), lineage.thread(), lineage.namespace(), id);
          return both.isEmpty() ? Optional.empty() : Optional.of(changes(sql, both.get()));
        });
  }

  private static List<ChannelChange> changes(Sql sql, Both both) throws SQLException {
    var before = RefLog.open(sql, Optional.of(both.parent()), both.before());
    var whole = new LinkedHashMap<Long, Ref>();
    var grown = new LinkedHashMap<Long, Ref>();
    var kept = new HashMap<Long, Integer>();
    for (var entry : after(sql, both).entrySet()) {
      var old = before.ref(entry.getKey());
      var now = entry.getValue();
      if (now.equals(old)) continue;
      if (old != null
          && old.place() instanceof Place.Prefix prefix
          && isGrown(prefix, now.place())) {
        grown.put(entry.getKey(), now);
        kept.put(entry.getKey(), prefix.length());
      } else {
        whole.put(entry.getKey(), now);
      }
    }
    before.readOn(sql, both.seq(), both.after(), whole, grown);
    var read = CheckpointQueries.channels(sql, new ChannelRefs(whole));
    var changes = new ArrayList<>(SavedChannel.changes(List.of(), read));
    var names = sql.ids().names(sql, grown.keySet());
    for (var entry : grown.entrySet()) {
      var now = entry.getValue();
      int first = kept.getOrDefault(entry.getKey(), 0);
      var added = ListLogs.read(sql, (Place.Prefix) now.place(), first);
      var name = CheckpointQueries.found("channel", entry.getKey(), names);
      changes.add(
          new ChannelChange(name, now.version(), new ChannelChange.Change.Items(first, added)));
    }
    return changes;
  }

  /// The references that may differ from those of the parent.
  private static Map<Long, Ref> after(Sql sql, Both both) throws SQLException {
    var before = RefLog.header(both.before());
    var after = RefLog.header(both.after());
    boolean isGrown =
        before.isPresent()
            && after.isPresent()
            && isGrown(before.get().prefix(), after.get().prefix());
    if (!isGrown) return RefLog.read(sql, both.after()).refs();
    return RefLog.folded(ListLogs.read(sql, after.get().prefix(), before.get().length()));
  }

  private static boolean isGrown(Place.Prefix old, Place after) {
    return after instanceof Place.Prefix now
        && old.log() == now.log()
        && old.length() <= now.length();
  }
}
