package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;

/// A run that is run again without its side effects.
public final class Replayed {
  static final Channel<Integer, Integer> PRICE = Channel.latest("price", Integer.class);

  private Replayed() {}

  static Graph graph(int discount) {
    return Graph.named("offer")
        .channels(PRICE)
        .node("ask", (_, context) -> Update.of(PRICE, ask(context)))
        .node("lower", (state, _) -> Update.of(PRICE, state.get(PRICE) - discount))
        .edge(START, "ask")
        .edge("ask", "lower")
        .edge("lower", END)
        .compile();
  }

  private static int ask(NodeContext context) throws Exception {
    return context.step(
        "shop",
        Integer.class,
        () -> {
          System.out.println("asked the shop");
          return 12;
        });
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    graph(1).invoke(Input.none(), RunOptions.thread("offer-3").checkpoints(store).recorded());

    System.out.print(Replay.of(graph(1), store).thread("offer-3").run().text());
    var changed = Replay.of(graph(2), store).thread("offer-3").run();
    var found = changed.divergence().orElseThrow();
    System.out.println("superstep " + found.step() + ": " + found.recorded() + " / " + found.now());
  }
}
