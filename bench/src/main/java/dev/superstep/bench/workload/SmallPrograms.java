package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.flow.Flow;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.util.ArrayList;
import java.util.List;

/// W15: small programs that run once. Each is a class of its own, so that a process loads only what
/// its program needs.
public final class SmallPrograms {
  private SmallPrograms() {}

  public static void main(String[] arguments) throws Exception {
    ColdStart.print(
        switch (arguments[0]) {
          case "one" -> () -> Chained.run(1, RunOptions.defaults());
          case "chain" -> () -> Chained.run(10, RunOptions.defaults());
          case "fanout" -> FannedOut::run;
          case "agent" -> Calling::run;
          case "flow" -> Flowing::run;
          default -> () -> Kept.run(arguments[0]);
        });
  }

  /// Nodes in a row.
  private static final class Chained {
    private static final Channel<Long, Long> N = Channel.latest("n", Long.class);

    static long run(int nodes, RunOptions options) throws InterruptedException {
      var builder = Graph.named("chain").channels(N).edge(START, "n0");
      for (int i = 0; i < nodes; i++) {
        builder
            .node("n" + i, (state, _) -> Update.of(N, state.get(N) + 1))
            .edge("n" + i, i + 1 < nodes ? "n" + (i + 1) : END);
      }
      var outcome = builder.compile().invoke(Input.of(N, 0L), options);
      return Outcomes.state(outcome).get(N);
    }
  }

  /// Runs the programs on a thread of a store.
  private static final class Kept {
    static long run(String kind) throws Exception {
      try (var kept = ThreadStorage.open(kind)) {
        return Chained.run(2, kept.options("thread"));
      }
    }
  }

  /// A hundred sends.
  private static final class FannedOut {
    private static final int SENDS = 100;
    private static final Channel<List<String>, String> ITEMS =
        Channel.append("items", String.class);
    private static final Target<Integer> TASK = Target.of("task", Integer.class);

    static int run() throws InterruptedException {
      var graph =
          Graph.named("fan")
              .channels(ITEMS)
              .node("plan", (_, _) -> NodeResult.nothing())
              .node(TASK, (number, _, _) -> Update.of(ITEMS, "item-" + number))
              .edge(START, "plan")
              .fanOut("plan", _ -> sends(), TASK)
              .edge("task", END)
              .compile();
      return Outcomes.state(graph.invoke(Input.none())).get(ITEMS).size();
    }

    private static List<Send<?>> sends() {
      var sends = new ArrayList<Send<?>>(SENDS);
      for (int i = 0; i < SENDS; i++) sends.add(Send.to(TASK, i));
      return sends;
    }
  }

  /// An agent that calls a tool once.
  private static final class Calling {
    private record Numbers(int a, int b) {}

    static String run() throws InterruptedException {
      var add = Tool.of("add", "Adds.", Numbers.class, (n, _) -> Integer.toString(n.a() + n.b()));
      return Agent.named("adder")
          .model(new AgentLoop.Calling(1))
          .instructions("Add what you are given.")
          .tools(add)
          .build()
          .run("Go.")
          .answer();
    }
  }

  /// A flow of three steps.
  private static final class Flowing {
    private record A(long n) {}

    private record B(long n) {}

    private record C(long n) {}

    private record D(long n) {}

    static long run() throws Exception {
      var flow =
          Flow.named("count", A.class, D.class)
              .work(A.class, B.class, (a, _) -> new B(a.n() + 1))
              .work(B.class, C.class, (b, _) -> new C(b.n() + 1))
              .work(C.class, D.class, (c, _) -> new D(c.n() + 1))
              .build();
      return flow.run(new A(0), RunOptions.defaults()).output().n();
    }
  }
}
