package dev.superstep.example.guide.operations;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;

/// Watches a run: what its node tells while it is at work, and the state after each superstep.
public final class Watching {
  static final Channel<List<String>, String> FOUND = Channel.append("found", String.class);

  private Watching() {}

  static Graph graph() {
    return Graph.named("search")
        .channels(FOUND)
        .node(
            "search",
            (state, context) -> {
              context.emit("searching", "shelf " + (state.get(FOUND).size() + 1));
              context.emit(FOUND, "a book on whales");
              return Update.of(FOUND, "a book on whales");
            })
        .edge(START, "search")
        .route("search", state -> state.get(FOUND).size() < 2 ? "search" : END, "search", END)
        .compile();
  }

  /// Runs it.
  public static void main(String[] args) throws InterruptedException {
    var wanted = EventFilter.kinds(Kind.CUSTOM, Kind.PIECES, Kind.VALUES);
    var options = RunOptions.defaults().details(Detail.VALUES);
    try (var run = graph().stream(Input.none(), options)) {
      for (var event : run.only(wanted)) {
        switch (event) {
          case Event.NodeEmitted e -> System.out.println(e.node() + " " + e.payload());
          case Event.PieceArrived e -> System.out.println("perhaps " + e.piece());
          case Event.StateValues e -> System.out.println("found " + e.read(FOUND).size());
          case Event _ -> {}
        }
      }
      System.out.println(run.outcome().getClass().getSimpleName());
    }
  }
}
