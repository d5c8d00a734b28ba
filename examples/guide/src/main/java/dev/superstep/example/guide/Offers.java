package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Map;

/// Three shops are asked for an offer; two are enough to decide, and the report waits for the
/// third.
public final class Offers {
  enum Verdict {
    BUY,
    WAIT
  }

  static final Channel<List<Integer>, Integer> PRICES = Channel.append("prices", Integer.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  private Offers() {}

  static Graph graph() {
    return Graph.named("offers")
        .channels(PRICES, LOG)
        .node("web", offer(14))
        .node("corner", offer(11))
        .node("letter", (_, _) -> NodeResult.nothing())
        .node("abroad", offer(9))
        .node("decide", (state, _) -> Update.of(LOG, "two offers: " + state.get(PRICES)))
        .node("order", (_, _) -> Update.of(LOG, "ordered"))
        .node("report", (state, _) -> Update.of(LOG, "in the end: " + state.get(PRICES)))
        .edge(START, "web")
        .edge(START, "corner")
        .sequence(START, "letter", "abroad", "report", END)
        .join(JoinPolicy.atLeast(2), List.of("web", "corner", "abroad"), "decide")
        .route(
            "decide",
            Verdict.class,
            state -> state.get(PRICES).getLast() < 12 ? Verdict.BUY : Verdict.WAIT,
            Map.of(Verdict.BUY, "order", Verdict.WAIT, "report"))
        .edge("order", "report")
        .deferred("report")
        .compile();
  }

  private static Node offer(int price) {
    return (_, _) -> Update.of(PRICES, price);
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      state.get(LOG).forEach(System.out::println);
    }
  }
}
