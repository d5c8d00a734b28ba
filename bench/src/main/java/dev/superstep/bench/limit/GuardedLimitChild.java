package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// Does one case of one workload by hand, with the guarantees of a checkpointer: see [RowStore].
public final class GuardedLimitChild {
  private static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W3 memory", new ConversationLimit(RowStore::guarded)),
          Map.entry("W3 sqlite", new ConversationLimit(RowStore::guarded)),
          Map.entry("W3 postgres", new ConversationLimit(RowStore::guarded)),
          Map.entry("W5 memory", new ParkedLimit(RowStore::guarded)),
          Map.entry("W5 sqlite", new ParkedLimit(RowStore::guarded)),
          Map.entry("W9 memory", new WideStateLimit(RowStore::guarded)),
          Map.entry("W9 sqlite", new WideStateLimit(RowStore::guarded)),
          Map.entry("W10 memory", new LongThreadLimit(RowStore::guarded)),
          Map.entry("W10 sqlite", new LongThreadLimit(RowStore::guarded)),
          Map.entry("W13 memory", new DocumentsLimit(RowStore::guarded)),
          Map.entry("W13 sqlite", new DocumentsLimit(RowStore::guarded)),
          Map.entry("W13 postgres", new DocumentsLimit(RowStore::guarded)),
          Map.entry("W14 memory", new ShortRunsLimit(RowStore::guarded)),
          Map.entry("W14 sqlite", new ShortRunsLimit(RowStore::guarded)),
          Map.entry("W14 postgres", new ShortRunsLimit(RowStore::guarded)));

  private GuardedLimitChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("limit-guarded", WORKLOADS, arguments);
  }
}
