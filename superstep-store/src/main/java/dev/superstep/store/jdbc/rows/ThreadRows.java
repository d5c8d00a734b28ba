package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Threads by their newest checkpoints.
public final class ThreadRows {
  private ThreadRows() {}

  private record Row(
      CheckpointQueries.Row checkpoint,
      Optional<Long> digest,
      String thread,
      Optional<ThreadSummary.Holder> holder) {
    static Row of(ResultSet row) throws SQLException {
      var holder = new ThreadSummary.Holder(row.getString(16), Leases.instant(row.getLong(17)));
      return new Row(
          CheckpointQueries.Row.of(row),
          Digest.read(row, 19),
          row.getString(15),
          row.getInt(18) == 0 ? Optional.empty() : Optional.of(holder));
    }
  }

  /// With a literal namespace, so that the index of those that are empty is used.
  private static String select(Sql sql) {
    return "select "
        + CheckpointQueries.COLUMNS
        + ", t.name, t.owner, t.until, case when t.until > "
        + sql.dialect().now()
        + " then 1 else 0 end, l.digest"
        + " from lineage l join thread t on t.id = l.thread join checkpoint c on c.seq = l.head"
        + CheckpointQueries.JOINS
        + "where l.namespace = ''";
  }

  public static Optional<ThreadSummary> find(Sql sql, String thread) throws SQLException {
    var row = sql.first(select(sql) + " and t.name = ?", Row::of, thread);
    return row.isEmpty() ? Optional.empty() : Optional.of(head(row.get()));
  }

  public static List<ThreadSummary> list(Sql sql, ThreadQuery query) throws SQLException {
    var found = new ArrayList<ThreadSummary>();
    var rest = query;
    while (true) {
      var page = page(sql, rest);
      for (var head : page) {
        if (head.checkpoint().hasMetadata(query.metadata())) found.add(head);
        if (found.size() == query.limit()) return found;
      }
      if (page.size() < query.limit()) return found;
      rest = query.after(page.getLast().thread());
    }
  }

  private static List<ThreadSummary> page(Sql sql, ThreadQuery query) throws SQLException {
    var text = new StringBuilder(select(sql));
    var arguments = new ArrayList<Object>();
    if (query.graph().isPresent()) {
      text.append(" and g.name = ?");
      arguments.add(query.graph().get());
    }
    if (query.run().isPresent()) {
      text.append(" and exists (select 1 from run w where w.thread = t.id and w.name = ?)");
      arguments.add(query.run().get());
    }
    MetadataFilter.append(text, arguments, sql.dialect(), query.metadata());
    if (query.before().isPresent()) {
      // A thread that is gone compares as null, which gives no rows.
      text.append(
          " and l.head < (select b.head from thread s join lineage b on b.thread = s.id"
              + " where s.name = ? and b.namespace = '')");
      arguments.add(query.before().get());
    }
    text.append(" order by l.head desc limit ?");
    arguments.add(query.limit());
    var heads = new ArrayList<ThreadSummary>();
    for (var row : sql.all(text.toString(), Row::of, arguments.toArray())) heads.add(head(row));
    return heads;
  }

  private static ThreadSummary head(Row row) throws SQLException {
    var checkpoint =
        CheckpointQueries.newest(Lineage.of(row.thread()), row.checkpoint(), row.digest());
    return new ThreadSummary(row.thread(), checkpoint, row.holder());
  }

  public static Optional<String> described(Sql sql, String graph, String hash) throws SQLException {
    return sql.first(
        "select topology from graph where name = ? and hash = ? and topology is not null",
        row -> row.getString(1),
        graph,
        hash);
  }
}
