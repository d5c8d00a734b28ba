package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Parallel;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.List;

/// One node that asks three shops at once; two of them have to be asked by a person.
public final class Quotes {
  static final Channel<List<String>, String> SHOPS = Channel.append("shops", String.class);
  static final Channel<Integer, Integer> BEST = Channel.latest("best", Integer.class);
  static final Question<String, Integer> PRICE = Question.of("price", String.class, Integer.class);

  private Quotes() {}

  static Graph graph() {
    return Graph.named("quotes")
        .channels(SHOPS, BEST)
        .questions(PRICE)
        .node("compare", Quotes::compare)
        .edge(START, "compare")
        .edge("compare", END)
        .compile();
  }

  private static Update compare(State state, NodeContext context) throws InterruptedException {
    var prices =
        Parallel.over(state.get(SHOPS))
            .concurrency(8)
            .itemTimeout(Duration.ofSeconds(30))
            .map(context, Integer.class, Quotes::price);
    return Update.of(BEST, prices.reduce(Integer.MAX_VALUE, Math::min));
  }

  private static int price(String shop, NodeContext fork) {
    if (!shop.equals("online")) return fork.interrupt(PRICE, shop);
    System.out.println("looked up: online");
    return 14;
  }

  public static void main(String[] args) throws InterruptedException {
    var options = RunOptions.thread("lamp").checkpoints(new InMemoryCheckpointer());
    var outcome = graph().invoke(Input.all(SHOPS, List.of("corner", "online", "market")), options);
    int offer = 13;
    while (outcome instanceof Outcome.Interrupted(var questions)) {
      System.out.println("asked: " + questions.stream().map(PRICE::read).toList());
      outcome = graph().resume(Answers.of(questions.getFirst().id(), offer--), options);
    }
    if (outcome instanceof Outcome.Completed(var state)) {
      System.out.println("best: " + state.get(BEST));
    }
  }
}
