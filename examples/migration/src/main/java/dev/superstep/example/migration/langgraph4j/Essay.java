package dev.superstep.example.migration.langgraph4j;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;

/// A draft that is written again until a critic is content.
public final class Essay {
  private static final Channel<String, String> TEXT = Channel.latest("text", String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  private Essay() {}

  private static Update write(State state) {
    var text = state.find(TEXT).orElse("") + "word ";
    return Update.of(TEXT, text).and(LOG, "wrote " + text.strip());
  }

  private static Update criticize(State state) {
    return Update.of(LOG, isLongEnough(state) ? "long enough" : "too short");
  }

  private static boolean isLongEnough(State state) {
    return state.get(TEXT).strip().split(" ").length >= 3;
  }

  static Graph graph() {
    return Graph.named("essay")
        .channels(TEXT, LOG)
        .node("write", (state, _) -> write(state))
        .node("criticize", (state, _) -> criticize(state))
        .edge(START, "write")
        .edge("write", "criticize")
        .route(
            "criticize",
            state -> isLongEnough(state) ? "done" : "again",
            Map.of("again", "write", "done", END))
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.none()) instanceof Completed(var state)) {
      state.get(LOG).forEach(System.out::println);
    }
  }
}
