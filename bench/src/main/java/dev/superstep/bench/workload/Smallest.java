package dev.superstep.bench.workload;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;

/// W6: the least program that runs a graph of two nodes.
public final class Smallest {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);

  private Smallest() {}

  public static void main(String[] arguments) throws InterruptedException {
    var graph =
        Graph.named("smallest")
            .channels(N)
            .node("a", (_, _) -> Update.of(N, 1L))
            .node("b", (state, _) -> Update.of(N, state.get(N) + 1))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    System.out.println("result " + Outcomes.state(graph.invoke(Input.none())).get(N));
  }
}
