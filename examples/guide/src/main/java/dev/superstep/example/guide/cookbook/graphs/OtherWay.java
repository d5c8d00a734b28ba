package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;

/// A fork of a thread, with another choice in the middle.
public final class OtherWay {
  static final Channel<String, String> CITY = Channel.latest("city", String.class);
  static final Channel<String, String> PLAN = Channel.latest("plan", String.class);

  private OtherWay() {}

  static Graph graph() {
    return Graph.named("trip")
        .channels(CITY, PLAN)
        .node("choose", (_, _) -> Update.of(CITY, "Oslo"))
        .node("plan", (state, _) -> Update.of(PLAN, "By train to " + state.get(CITY)))
        .edge(START, "choose")
        .edge("choose", "plan")
        .edge("plan", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var first = RunOptions.thread("first").checkpoints(store);
    graph().invoke(Input.none(), first);

    var chosen =
        graph().history(Optional.empty(), 10, first).stream()
            .filter(checkpoint -> checkpoint.step() == 1) // after `choose`
            .findFirst()
            .orElseThrow();
    Threads.in(store).fork("first", chosen.id(), "other");
    var other = RunOptions.thread("other").checkpoints(store);
    graph().update(other, StateUpdate.as("choose", Update.of(CITY, "Bergen")));
    graph().resume(Answers.none(), other);

    for (var options : List.of(first, other)) {
      System.out.println(graph().state(options).orElseThrow().state().get(PLAN));
    }
  }
}
