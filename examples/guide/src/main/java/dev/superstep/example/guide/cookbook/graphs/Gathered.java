package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Two nodes that run side by side, and one that waits for both.
public final class Gathered {
  static final Channel<Map<String, Integer>, Map<String, Integer>> PRICES =
      Channel.merge("prices", Integer.class);
  static final Channel<String, String> BEST = Channel.latest("best", String.class);

  private Gathered() {}

  static Graph graph() {
    return Graph.named("offers")
        .channels(PRICES, BEST)
        .node("north", (_, _) -> Update.of(PRICES, Map.of("north", 14)))
        .node("south", (_, _) -> Update.of(PRICES, Map.of("south", 11)))
        .node("choose", (state, _) -> Update.of(BEST, cheapest(state.get(PRICES))))
        .edge(START, "north")
        .edge(START, "south")
        .join(List.of("north", "south"), "choose")
        .edge("choose", END)
        .compile();
  }

  private static String cheapest(Map<String, Integer> prices) {
    return Collections.min(prices.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      System.out.println(state.get(BEST) + " of " + state.get(PRICES).keySet().size());
    }
  }
}
