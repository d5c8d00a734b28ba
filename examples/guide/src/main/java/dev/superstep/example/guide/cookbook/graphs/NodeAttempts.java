package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.io.IOException;

/// A node that is tried again when it fails.
public final class NodeAttempts {
  static final Channel<String, String> PRICE = Channel.latest("price", String.class);

  private NodeAttempts() {}

  static Graph graph() {
    var patient =
        NodePolicy.defaults()
            .retry(Retry.of(4).on(IOException.class))
            .onFailure(OnFailure.fallback(Update.of(PRICE, "unknown")));
    return Graph.named("price")
        .channels(PRICE)
        .node("ask", (_, context) -> Update.of(PRICE, price(context.attempt())), patient)
        .edge(START, "ask")
        .edge("ask", END)
        .compile();
  }

  private static String price(int attempt) throws IOException {
    System.out.println("attempt " + attempt);
    if (attempt < 3) throw new IOException("no answer");
    return "12 EUR";
  }

  public static void main(String[] args) throws InterruptedException {
    var options = RunOptions.defaults().sleeper(_ -> {}); // do not wait in an example
    if (graph().invoke(Input.none(), options) instanceof Completed(var state)) {
      System.out.println(state.get(PRICE));
    }
  }
}
