package dev.superstep.bench.workload;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// Does one case of one workload with Superstep.
public final class SuperstepChild {
  private static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W1 loop", new Loop()),
          Map.entry("W1 chain", new Chain()),
          Map.entry("W2 sends", new FanOut()),
          Map.entry("W3 none", new Conversation()),
          Map.entry("W3 memory", new Conversation()),
          Map.entry("W3 sqlite", new Conversation()),
          Map.entry("W3 postgres", new Conversation()));

  private SuperstepChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("superstep", WORKLOADS, arguments);
  }
}
