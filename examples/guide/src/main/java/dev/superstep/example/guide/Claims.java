package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.RecordState;
import java.util.List;

/// State as a record, two nodes that write at the same time, and a router.
public final class Claims {
  record Claim(String text, List<String> notes, Long score) {
    static final RecordState<Claim> STATE = RecordState.of(Claim.class);
    static final Channel<String, String> TEXT = STATE.latest(Claim::text);
    static final Channel<List<String>, String> NOTES = STATE.append(Claim::notes, String.class);
    static final Channel<Long, Long> SCORE = STATE.sum(Claim::score);
  }

  private Claims() {}

  static Graph graph() {
    return Graph.named("claims")
        .state(Claim.STATE)
        .node("words", (state, _) -> score("words", state.get(Claim.TEXT).split(" ").length))
        .node("marks", (state, _) -> score("marks", state.get(Claim.TEXT).contains("!") ? 5 : 0))
        .node("alarm", (_, _) -> Update.of(Claim.NOTES, "call a person"))
        .edge(START, "words")
        .edge(START, "marks")
        .join(List.of("words", "marks"), "judge")
        .node("judge", (_, _) -> Update.of(Claim.NOTES, "judged"))
        .route("judge", state -> state.get(Claim.SCORE) > 7 ? "alarm" : END, "alarm", END)
        .edge("alarm", END)
        .compile();
  }

  private static Update score(String who, long points) {
    return Update.of(Claim.SCORE, points).and(Claim.NOTES, who + " says " + points);
  }

  public static void main(String[] args) throws InterruptedException {
    if (graph().invoke(Input.of(Claim.TEXT, "My roof is gone!")) instanceof Completed(var state)) {
      Claim claim = Claim.STATE.read(state);
      claim.notes().forEach(System.out::println);
      System.out.println("score " + claim.score());
    }
  }
}
