package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// Does one case of one workload by hand.
public final class LimitChild {
  private static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W1 loop", new LoopLimit()),
          Map.entry("W1 chain", new ChainLimit()),
          Map.entry("W2 sends", new FanOutLimit()),
          Map.entry("W3 none", new ConversationLimit()),
          Map.entry("W3 memory", new ConversationLimit()),
          Map.entry("W3 sqlite", new ConversationLimit()),
          Map.entry("W3 postgres", new ConversationLimit()));

  private LimitChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("limit", WORKLOADS, arguments);
  }
}
