package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;

/// A record gets a field while an order waits for its answer.
public final class Currency {
  /// The program as it was.
  static final class Yesterday {
    record Order(String number, int cents) {}

    static final Channel<Yesterday.Order, Yesterday.Order> ORDER =
        Channel.latest("order", Yesterday.Order.class);

    static Graph graph() {
      return graphOf(ORDER);
    }
  }

  /// The program as it is now.
  static final class Today {
    record Order(String number, int cents, String currency) {}

    static final Channel<Today.Order, Today.Order> ORDER =
        Channel.latest("order", Today.Order.class);

    static Graph graph() {
      return graphOf(ORDER);
    }
  }

  static final Channel<String, String> RESULT = Channel.latest("result", String.class);
  static final Question<String, Approval> PAY = Question.of("pay", String.class, Approval.class);

  private Currency() {}

  private static <O> Graph graphOf(Channel<O, O> order) {
    return Graph.named("order")
        .channels(order, RESULT)
        .questions(PAY)
        .node(
            "decide",
            (state, context) -> {
              context.interrupt(PAY, "Pay?");
              return Update.of(RESULT, "paid: " + state.get(order));
            })
        .edge(START, "decide")
        .edge("decide", END)
        .compile();
  }

  // The error of a run without the migration names it.
  static final String OLD_HASH = Yesterday.graph().topology().hash();

  static Migration currency() {
    return Migration.between(OLD_HASH, Today.graph().topology().hash())
        .transform("order", Currency::inEuro);
  }

  private static Json inEuro(Json order) {
    var old = order.as(Yesterday.Order.class);
    return Json.of(new Today.Order(old.number(), old.cents(), "EUR"));
  }

  public static void main(String[] args) throws InterruptedException {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("order-17").checkpoints(store);
    Yesterday.graph().invoke(Input.of(Yesterday.ORDER, new Yesterday.Order("17", 4_900)), options);

    var now = options.migrations(currency());
    var answer = Answers.to(PAY, Approval.yes());
    if (Today.graph().resume(answer, now) instanceof Outcome.Completed(var state)) {
      System.out.println(state.get(RESULT));
    }
  }
}
