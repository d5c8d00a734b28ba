package dev.superstep.store.jdbc.sql;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place.Prefix;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cache of the lists to which lineages appended last. They are likely to grow again, so a writer
/// asks about them before it has read its checkpoint. A wrong guess costs a query. Safe for many
/// threads.
public final class RecentLogs {
  private static final int LINEAGES_MAX = 10_000;
  private static final int LISTS_MAX = 20;

  private final Map<Lineage, Lists> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lineage, Lists> eldest) {
          return size() > LINEAGES_MAX;
        }
      };

  /// The lists that a lineage made longer.
  ///
  /// @param lineage its row
  public record Lists(long lineage, List<Prefix> lists) {}

  public synchronized Optional<Lists> of(Lineage lineage) {
    return Optional.ofNullable(recent.get(lineage));
  }

  public synchronized void put(Lineage name, long lineage, List<Prefix> lists) {
    if (lists.isEmpty()) recent.remove(name);
    else recent.put(name, new Lists(lineage, lists.stream().limit(LISTS_MAX).toList()));
  }
}
