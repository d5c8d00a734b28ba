package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.state.Channel;

/// A channel with a new name, and threads that know the old one.
public final class Renamed {
  static final Channel<String, String> CUSTOMER = Channel.latest("customer", String.class);
  static final Channel<String, String> GUEST = Channel.latest("guest", String.class);
  static final Question<String, Approval> SEND = Question.of("send", String.class, Approval.class);

  private Renamed() {}

  static Graph graph(Channel<String, String> name) {
    return Graph.named("letters")
        .channels(name)
        .questions(SEND)
        .node("send", (state, context) -> send(state.get(name), context))
        .edge(START, "send")
        .edge("send", END)
        .compile();
  }

  private static NodeResult send(String name, NodeContext context) {
    if (context.interrupt(SEND, "Send it?").approved()) System.out.println("Dear " + name);
    return NodeResult.nothing();
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("letter-1").checkpoints(store);
    graph(CUSTOMER).invoke(Input.of(CUSTOMER, "Ann"), options); // the old release: it asks

    var old = graph(CUSTOMER).topology().hash(); // write it down with each release
    var now = graph(GUEST);
    var migration =
        Migration.between(old, now.topology().hash()).renameChannel("customer", "guest");
    var yes = Answers.to(SEND, Approval.yes());
    try {
      now.resume(yes, options);
    } catch (ThreadError e) {
      System.out.println(e.reason());
    }
    now.resume(yes, options.migrations(migration));
  }
}
