package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// One task for each word, all at once; the results come back in the order of the words.
public final class Words {
  static final Channel<List<String>, String> WORDS = Channel.append("words", String.class);
  static final Channel<List<String>, String> REVERSED = Channel.append("reversed", String.class);
  static final Target<String> REVERSE = Target.of("reverse", String.class);

  private Words() {}

  static Graph graph() {
    return Graph.named("words")
        .channels(WORDS, REVERSED)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(REVERSE, (word, _, _) -> Update.of(REVERSED, new StringBuilder(word).reverse() + ""))
        .node("print", (state, _) -> print(state))
        .edge(START, "split")
        .fanOut("split", state -> Send.each(REVERSE, state.get(WORDS)), REVERSE)
        .edge("reverse", "print")
        .edge("print", END)
        .compile();
  }

  private static NodeResult print(State state) {
    System.out.println(String.join(" ", state.get(REVERSED)));
    return NodeResult.nothing();
  }

  public static void main(String[] args) throws InterruptedException {
    var outcome = graph().invoke(Input.all(WORDS, List.of("no", "lemon", "no", "melon")));
    System.out.println(outcome instanceof Completed ? "done" : "not done");
  }
}
