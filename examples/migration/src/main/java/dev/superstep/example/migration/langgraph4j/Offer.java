package dev.superstep.example.migration.langgraph4j;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.Collections;
import java.util.List;

/// Two branches at once, a join, and a graph as a node.
public final class Offer {
  private static final Channel<String, String> CITY = Channel.latest("city", String.class);
  private static final Channel<List<String>, String> OFFERS =
      Channel.append("offers", String.class);
  private static final Channel<String, String> BEST = Channel.latest("best", String.class);
  private static final Channel<String, String> LETTER = Channel.latest("letter", String.class);

  private Offer() {}

  private static Update choose(State state) {
    return Update.of(BEST, Collections.min(state.get(OFFERS)));
  }

  private static Update sign(State state) {
    return Update.of(LETTER, state.get(LETTER) + " " + state.get(BEST));
  }

  private static Graph letter() {
    return Graph.named("letter")
        .channels(BEST, LETTER)
        .node("greet", (_, _) -> Update.of(LETTER, "Dear Ada,"))
        .node("sign", (state, _) -> sign(state))
        .edge(START, "greet")
        .edge("greet", "sign")
        .edge("sign", END)
        .compile();
  }

  static Graph graph() {
    return Graph.named("offer")
        .channels(CITY, OFFERS, BEST, LETTER)
        .node("ask", (_, _) -> Update.of(CITY, "Bergen"))
        .node("train", (_, _) -> Update.of(OFFERS, "80 by train"))
        .node("plane", (_, _) -> Update.of(OFFERS, "60 by plane"))
        .node("choose", (state, _) -> choose(state))
        .node("letter", Subgraph.shared(letter()))
        .edge(START, "ask")
        .edge("ask", "train")
        .edge("ask", "plane")
        .join(List.of("train", "plane"), "choose")
        .edge("choose", "letter")
        .edge("letter", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      state.get(OFFERS).forEach(System.out::println);
      System.out.println(state.get(LETTER));
    }
  }
}
