package dev.superstep.bench.workload;

import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.ProgramStart;
import dev.superstep.bench.measure.Workload;
import java.util.List;
import java.util.Map;

/// Does one case of one workload with Superstep.
public final class SuperstepChild {
  private static final Workload COLD = new ColdStart(SmallPrograms.class.getName());
  static final Map<String, Workload> WORKLOADS =
      Map.ofEntries(
          Map.entry("W15 one", COLD),
          Map.entry("W15 chain", COLD),
          Map.entry("W15 fanout", COLD),
          Map.entry("W15 agent", COLD),
          Map.entry("W15 flow", COLD),
          Map.entry("W15 memory", COLD),
          Map.entry("W15 sqlite", COLD),
          Map.entry("W1 loop", new Loop()),
          Map.entry("W1 chain", new Chain()),
          Map.entry("W2 sends", new FanOut()),
          Map.entry("W3 none", new Conversation()),
          Map.entry("W3 memory", new Conversation()),
          Map.entry("W3 sqlite", new Conversation()),
          Map.entry("W3 postgres", new Conversation()),
          Map.entry("W4 runs", new Concurrent()),
          Map.entry("W5 memory", new Parked()),
          Map.entry("W5 sqlite", new Parked()),
          Map.entry("W6 version", new CliStart(List.of("--version"), "superstep ")),
          Map.entry("W6 run", new CliStart(List.of("run", "HOME/examples/triage"), "6 questions")),
          Map.entry("W6 program", new ProgramStart(Smallest.class.getName(), "result 2")),
          Map.entry("W7 idle", new Watched()),
          Map.entry("W7 busy", new Watched()),
          Map.entry("W8 none", new AgentLoop()),
          Map.entry("W8 memory", new AgentLoop()),
          Map.entry("W9 none", new WideState()),
          Map.entry("W9 memory", new WideState()),
          Map.entry("W9 sqlite", new WideState()),
          Map.entry("W11 none", new FlowSteps()),
          Map.entry("W11 memory", new FlowSteps()),
          Map.entry("W12 agents", new ManyAgents()),
          Map.entry("W13 none", new JsonDocuments()),
          Map.entry("W13 memory", new JsonDocuments()),
          Map.entry("W13 sqlite", new JsonDocuments()),
          Map.entry("W13 postgres", new JsonDocuments()),
          Map.entry("W14 memory", new ShortRuns()),
          Map.entry("W14 sqlite", new ShortRuns()),
          Map.entry("W14 postgres", new ShortRuns()),
          Map.entry("W10 memory", new LongThread()),
          Map.entry("W10 sqlite", new LongThread()));

  private SuperstepChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run("superstep", WORKLOADS, arguments);
  }
}
