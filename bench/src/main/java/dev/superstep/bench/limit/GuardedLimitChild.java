package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// Does one case of one workload by hand, with the guarantees of a checkpointer: see [GuardedRows].
public final class GuardedLimitChild {
  private static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W3 memory", new GuardedConversationLimit()),
          Map.entry("W3 sqlite", new GuardedConversationLimit()),
          Map.entry("W3 postgres", new GuardedConversationLimit()),
          Map.entry("W5 memory", new GuardedParkedLimit()),
          Map.entry("W5 sqlite", new GuardedParkedLimit()),
          Map.entry("W9 memory", new GuardedWideStateLimit()),
          Map.entry("W9 sqlite", new GuardedWideStateLimit()),
          Map.entry("W10 memory", new GuardedLongThreadLimit()),
          Map.entry("W10 sqlite", new GuardedLongThreadLimit()));

  private GuardedLimitChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("limit-guarded", WORKLOADS, arguments);
  }
}
