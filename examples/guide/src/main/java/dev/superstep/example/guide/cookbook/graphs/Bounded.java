package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import java.util.List;

/// A list that keeps its newest items.
public final class Bounded {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class).keepLast(3);

  private Bounded() {}

  static Graph graph() {
    return Graph.named("log")
        .channels(LOG)
        .node("note", (_, context) -> Update.of(LOG, "round " + context.step()))
        .edge(START, "note")
        .route("note", s -> s.get(LOG).getLast().endsWith("5") ? END : "note", "note", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      System.out.println(state.get(LOG));
    }
  }
}
