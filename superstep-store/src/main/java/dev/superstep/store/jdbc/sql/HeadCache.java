package dev.superstep.store.jdbc.sql;

import dev.superstep.checkpoint.Lineage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A cache of the newest checkpoints of lineages that are being written to, so that the next commit
/// need not read them. An entry may be out of date, as others write too: who uses it asks the
/// database whether the lease and the checkpoint are still the newest ones. Safe for many threads.
public final class HeadCache {
  private static final int HEADS_MAX = 1_000;

  private final Map<Lineage, Head> known = new LinkedHashMap<>(16, 0.75f, true);

  /// A checkpoint that was committed, and the rows that belong to it.
  ///
  /// @param thread the row of the thread
  /// @param lineage the row of the lineage
  /// @param seq its place in the order of the store, which is never given twice
  /// @param run the row of the run that made it
  /// @param channels the references to its channels, as they are stored
  public record Head(long thread, long lineage, long seq, String id, RunKey run, String channels) {}

  /// A run and its row.
  public record RunKey(String name, long id) {}

  public synchronized Optional<Head> get(Lineage lineage) {
    return Optional.ofNullable(known.get(lineage));
  }

  public synchronized void put(Lineage lineage, Head head) {
    known.put(lineage, head);
    if (known.size() <= HEADS_MAX) return;
    var oldest = known.keySet().iterator();
    oldest.next();
    oldest.remove();
  }

  public synchronized void remove(Lineage lineage) {
    known.remove(lineage);
  }
}
