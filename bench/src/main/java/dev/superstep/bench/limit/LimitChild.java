package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.ProgramStart;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// Does one case of one workload by hand.
public final class LimitChild {
  private static final Workload COLD = new ColdStart(SmallProgramsLimit.class.getName());
  private static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W15 one", COLD),
          Map.entry("W15 chain", COLD),
          Map.entry("W15 fanout", COLD),
          Map.entry("W15 agent", COLD),
          Map.entry("W15 flow", COLD),
          Map.entry("W15 memory", COLD),
          Map.entry("W15 sqlite", COLD),
          Map.entry("W1 loop", new LoopLimit()),
          Map.entry("W1 chain", new ChainLimit()),
          Map.entry("W2 sends", new FanOutLimit()),
          Map.entry("W3 none", new ConversationLimit(RowStore::plain)),
          Map.entry("W3 memory", new ConversationLimit(RowStore::plain)),
          Map.entry("W3 sqlite", new ConversationLimit(RowStore::plain)),
          Map.entry("W3 postgres", new ConversationLimit(RowStore::plain)),
          Map.entry("W4 runs", new ConcurrentLimit()),
          Map.entry("W5 memory", new ParkedLimit(RowStore::plain)),
          Map.entry("W5 sqlite", new ParkedLimit(RowStore::plain)),
          Map.entry("W6 version", new CliStartLimit(VersionProgram.class, "nothing 1")),
          Map.entry("W6 run", new CliStartLimit(SmallestLimit.class, "result 2")),
          Map.entry("W6 program", new ProgramStart(SmallestLimit.class.getName(), "result 2")),
          Map.entry("W7 idle", new UnwatchedLimit()),
          Map.entry("W7 busy", new UnwatchedLimit()),
          Map.entry("W8 none", new AgentLoopLimit()),
          Map.entry("W8 memory", new AgentLoopLimit()),
          Map.entry("W9 none", new WideStateLimit(RowStore::plain)),
          Map.entry("W9 memory", new WideStateLimit(RowStore::plain)),
          Map.entry("W9 sqlite", new WideStateLimit(RowStore::plain)),
          Map.entry("W11 none", new FlowStepsLimit()),
          Map.entry("W11 memory", new FlowStepsLimit()),
          Map.entry("W12 agents", new ManyAgentsLimit()),
          Map.entry("W13 none", new DocumentsLimit(RowStore::plain)),
          Map.entry("W13 memory", new DocumentsLimit(RowStore::plain)),
          Map.entry("W13 sqlite", new DocumentsLimit(RowStore::plain)),
          Map.entry("W13 postgres", new DocumentsLimit(RowStore::plain)),
          Map.entry("W14 memory", new ShortRunsLimit(RowStore::plain)),
          Map.entry("W14 sqlite", new ShortRunsLimit(RowStore::plain)),
          Map.entry("W14 postgres", new ShortRunsLimit(RowStore::plain)),
          Map.entry("W10 memory", new LongThreadLimit(RowStore::plain)),
          Map.entry("W10 sqlite", new LongThreadLimit(RowStore::plain)));

  private LimitChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("limit", WORKLOADS, arguments);
  }
}
