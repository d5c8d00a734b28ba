package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;

/// A task for each item of a list.
public final class EachItem {
  static final Channel<List<String>, String> MAILS = Channel.append("mails", String.class);
  static final Channel<List<String>, String> REPLIES = Channel.append("replies", String.class);
  static final Target<String> ANSWER = Target.of("answer", String.class);

  private EachItem() {}

  static Graph graph() {
    return Graph.named("mails")
        .channels(MAILS, REPLIES)
        .node(ANSWER, (mail, _, _) -> Update.of(REPLIES, "Re: " + mail))
        .node("send", (state, _) -> send(state.get(REPLIES)))
        .fanOut(START, state -> Send.each(ANSWER, state.get(MAILS)), ANSWER)
        .edge("answer", "send")
        .edge("send", END)
        .compile();
  }

  private static NodeResult send(List<String> replies) {
    System.out.println(replies);
    return NodeResult.nothing();
  }

  public static void main(String[] args) throws InterruptedException {
    var input = Input.of(MAILS, "Where is it?").and(MAILS, "It is broken.").and(MAILS, "Thanks!");
    graph().invoke(input, RunOptions.defaults().concurrency(2));
  }
}
