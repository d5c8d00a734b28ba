package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.NodePolicy;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.time.Duration;

/// A node that takes too long.
public final class SlowNode {
  static final Channel<String, String> NEWS = Channel.latest("news", String.class);

  private SlowNode() {}

  static Graph graph() {
    var quick =
        NodePolicy.defaults()
            .timeout(Duration.ofMillis(50))
            .onFailure(OnFailure.fallback(Update.of(NEWS, "no news")));
    return Graph.named("news")
        .channels(NEWS)
        .node("fetch", (_, _) -> Update.of(NEWS, fetch()), quick)
        .edge(START, "fetch")
        .edge("fetch", END)
        .compile();
  }

  private static String fetch() throws InterruptedException {
    Thread.sleep(Duration.ofHours(1)); // a server that never answers; the timeout interrupts it
    return "news";
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      System.out.println(state.get(NEWS));
    }
  }
}
