package dev.superstep.example.guide.cookbook;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.agent.Agent;
import dev.superstep.graph.Graph;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.state.State;

/// A writer who tries again until a critic is satisfied.
public final class Critic {
  record Review(boolean good, String advice) {}

  static final Channel<String, String> TASK = Channel.latest("task", String.class);
  static final Channel<String, String> DRAFT = Channel.latest("draft", String.class);
  static final Channel<Long, Long> ROUNDS = Channel.sum("rounds");
  static final Channel<Review, Review> REVIEW = Channel.latest("review", Review.class);

  private Critic() {}

  static Graph graph(ChatModel writing, ChatModel judging) {
    var writer = Agent.named("writer").model(writing).build();
    var critic = Agent.named("critic").model(judging).answering(Review.class);
    return Graph.named("essay")
        .channels(TASK, DRAFT, REVIEW, ROUNDS)
        .node("write", writer.asking(Critic::task, draft -> Update.of(DRAFT, draft)))
        .node("judge", critic.asking(s -> s.get(DRAFT), Critic::judged))
        .edge(START, "write")
        .edge("write", "judge")
        .route("judge", Critic::next, "write", END)
        .compile();
  }

  private static Update judged(Review review) {
    return Update.of(REVIEW, review).and(ROUNDS, 1L);
  }

  private static String next(State state) {
    return state.get(REVIEW).good() || state.get(ROUNDS) >= 3 ? END : "write";
  }

  private static String task(State state) {
    var advice = state.find(REVIEW).map(review -> "\nLast time: " + review.advice()).orElse("");
    return state.get(TASK) + advice;
  }

  public static void main(String[] args) throws InterruptedException {
    var writing = ScriptedModel.saying("Whales are big.", "A blue whale weighs 150 tonnes.");
    var judging =
        ScriptedModel.saying(
            "{\"good\":false,\"advice\":\"Give a number.\"}", "{\"good\":true,\"advice\":\"\"}");
    var input = Input.of(TASK, "One line on whales.");
    if (graph(writing, judging).invoke(input) instanceof Completed(var state)) {
      System.out.println(state.get(DRAFT));
    }
    System.out.println(writing.requests().getLast().messages().getLast().text());
  }
}
