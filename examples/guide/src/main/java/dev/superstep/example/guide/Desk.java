package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;

/// A clerk that works on the conversation of a help desk, and hands hard cases to the boss.
public final class Desk {
  static final Channel<List<String>, String> TALK = Channel.append("talk", String.class);

  private Desk() {}

  static Graph clerk() {
    return Graph.named("clerk")
        .channels(TALK)
        .node("greet", (_, _) -> Update.of(TALK, "clerk: hello"))
        .node("answer", (state, _) -> answer(state))
        .edge(START, "greet")
        .edge("greet", "answer")
        .edge("answer", END)
        .compile();
  }

  private static NodeResult answer(State state) {
    return state.get(TALK).getFirst().contains("refund")
        ? Command.toParent("boss").with(Update.of(TALK, "clerk: that is for my boss"))
        : Update.of(TALK, "clerk: it is under the stairs");
  }

  static Graph desk() {
    return Graph.named("desk")
        .channels(TALK)
        .node("clerk", Subgraph.shared(clerk()))
        .node("boss", (_, _) -> Update.of(TALK, "boss: granted"))
        .edge(START, "clerk")
        .edge("clerk", END)
        .handOffs("clerk", "boss")
        .edge("boss", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    for (var said : List.of("where is my coat?", "I want a refund")) {
      if (desk().invoke(Input.of(TALK, said)) instanceof Completed(var state)) {
        state.get(TALK).forEach(System.out::println);
      }
    }
  }
}
