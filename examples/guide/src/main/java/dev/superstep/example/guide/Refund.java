package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A question that outlives its process: asked with one store, answered with another that opens the
/// same file.
public final class Refund {
  record Order(String number, int cents) {}

  static final Channel<Order, Order> ORDER = Channel.latest("order", Order.class);
  static final Channel<String, String> RESULT = Channel.latest("result", String.class);
  static final Question<Order, Approval> REFUND =
      Question.of("refund", Order.class, Approval.class);

  private Refund() {}

  static Graph graph() {
    return Graph.named("refund")
        .channels(ORDER, RESULT)
        .questions(REFUND)
        .node("decide", Refund::decide)
        .edge(START, "decide")
        .edge("decide", END)
        .compile();
  }

  private static Update decide(State state, NodeContext context) {
    Approval answer = context.interrupt(REFUND, state.get(ORDER));
    return Update.of(RESULT, answer.approved() ? "paid" : "refused: " + answer.note().orElse(""));
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Files.createTempDirectory("refund").resolve("threads.db");
    String question = "";
    try (Checkpointer store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("order-17").checkpoints(store);
      var input = Input.of(ORDER, new Order("17", 4_900));
      if (graph().invoke(input, options) instanceof Outcome.Interrupted(var questions)) {
        System.out.println("asked: " + REFUND.read(questions.getFirst()));
        question = questions.getFirst().id();
      }
    }
    // Days later, in another process:
    try (Checkpointer store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("order-17").checkpoints(store);
      var answer = Answers.of(question, REFUND, new Approval(false, Optional.of("too late")));
      if (graph().resume(answer, options) instanceof Outcome.Completed(var state)) {
        System.out.println(state.get(RESULT));
      }
    }
  }
}
