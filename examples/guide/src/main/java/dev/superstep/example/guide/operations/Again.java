package dev.superstep.example.guide.operations;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;

/// A run that is replayed, by the program that made it and by a changed one.
public final class Again {
  static final Channel<Integer, Integer> PRICE = Channel.latest("price", Integer.class);
  static final Channel<String, String> OFFER = Channel.latest("offer", String.class);

  private Again() {}

  static Graph graph(Node write) {
    return Graph.named("offer")
        .channels(PRICE, OFFER)
        .node(
            "look-up",
            (_, context) -> Update.of(PRICE, context.step("ask shop", Integer.class, Again::price)))
        .node("write", write)
        .edge(START, "look-up")
        .edge("look-up", "write")
        .edge("write", END)
        .compile();
  }

  private static int price() {
    System.out.println("asked the shop");
    return 12;
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var graph = graph((state, _) -> Update.of(OFFER, "for " + state.get(PRICE)));
    graph.invoke(Input.none(), RunOptions.thread("offer-3").checkpoints(store).recorded());

    var same = Replay.of(graph, store).thread("offer-3").run();
    System.out.print(same.text());

    var changed = graph((state, _) -> Update.of(OFFER, "only " + state.get(PRICE)));
    var replayed = Replay.of(changed, store).thread("offer-3").run();
    replayed
        .divergence()
        .ifPresent(d ->
            System.out.println(
                d.channel() + " in superstep " + d.step() + ": " + d.recorded() + " / " + d.now()));
  }
}
