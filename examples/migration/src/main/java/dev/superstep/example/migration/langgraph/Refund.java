package dev.superstep.example.migration.langgraph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Path;

/// A refund that waits for a person: kill it while it waits, and start it again.
public final class Refund {
  record Order(String number, int cents) {}

  private static final Channel<Order, Order> ORDER = Channel.latest("order", Order.class);
  private static final Channel<String, String> RECEIPT = Channel.latest("receipt", String.class);
  private static final Channel<String, String> RESULT = Channel.latest("result", String.class);
  private static final Question<String, String> REFUND =
      Question.of("refund", String.class, String.class);

  private Refund() {}

  private static Update reserve(State state) {
    System.out.println("reserved " + state.get(ORDER).cents() + " cents");
    return Update.of(RECEIPT, "R-17");
  }

  private static Update decide(State state, NodeContext context) {
    var order = state.get(ORDER).number();
    var answer =
        context.interrupt(REFUND, "Refund order " + order + " (" + state.get(RECEIPT) + ")?");
    return Update.of(RESULT, answer.equals("yes") ? "paid" : "refused");
  }

  static Graph graph() {
    return Graph.named("refund")
        .channels(ORDER, RECEIPT, RESULT)
        .questions(REFUND)
        .node("reserve", (state, _) -> reserve(state))
        .node("decide", Refund::decide)
        .edge(START, "reserve")
        .edge("reserve", "decide")
        .edge("decide", END)
        .compile();
  }

  public static void main(String[] args) throws InterruptedException {
    try (var store = SqliteCheckpointer.open(Path.of(args[0]))) {
      var graph = graph();
      var thread = RunOptions.thread("order-17").checkpoints(store);
      var outcome =
          graph.state(thread).isEmpty()
              ? graph.invoke(Input.of(ORDER, new Order("17", 4_900)), thread)
              : graph.resume(Answers.none(), thread);
      if (outcome instanceof Interrupted(var questions)) {
        for (var question : questions) System.out.println(REFUND.read(question));
      }
      var answer = Answers.to(REFUND, IO.readln());
      if (graph.resume(answer, thread) instanceof Completed(var state)) {
        System.out.println(state.get(RESULT));
      }
    }
  }
}
