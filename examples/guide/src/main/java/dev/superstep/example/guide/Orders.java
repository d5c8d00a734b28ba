package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Set;

/// Nodes that run because of what is there, and not because of what ran before.
public final class Orders {
  static final Channel<String, String> ORDER = Channel.token("order", String.class);
  static final Channel<Long, Long> PAID = Channel.token("paid", Long.class);
  static final Channel<Set<String>, String> CHECKS =
      Channel.barrier("checks", Set.of("stock", "fraud"));
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  private Orders() {}

  static Graph graph() {
    return Graph.named("orders")
        .channels(ORDER, PAID, CHECKS, LOG)
        .node("stock", (_, _) -> Update.of(CHECKS, "stock"))
        .node("bank", (_, _) -> Update.of(PAID, 30L).and(CHECKS, "fraud"))
        .node(
            "ship",
            (state, _) -> Update.of(LOG, "ship " + state.get(ORDER) + " for " + state.get(PAID)))
        .node("report", (state, _) -> Update.of(LOG, "checked: " + state.get(CHECKS)))
        .edge(START, "stock")
        .edge("stock", "bank")
        .trigger("ship", ORDER, PAID)
        .trigger("report", CHECKS)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.of(ORDER, "a lamp")) instanceof Completed(var state)) {
      state.get(LOG).forEach(System.out::println);
      System.out.println("order left: " + state.find(ORDER).isPresent());
    }
  }
}
