package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult.Waiting;
import dev.superstep.agent.run.Review;
import dev.superstep.agent.run.Review.Decision;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import java.util.Optional;

/// A person decides before a tool runs.
public final class Approved {
  record Order(int number) {}

  private Approved() {}

  static Agent<String> agent(ChatModel model) {
    var refund =
        Tool.of("refund", "Pays an order back.", Order.class, (o, _) -> "paid " + o.number())
            .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));
    return Agent.named("desk")
        .model(model)
        .tools(refund)
        .gate(ToolGate.strict().confirming(SideEffect.PAYMENT))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var call = new ToolCall("c1", "refund", "{\"number\":17}");
    var agent = agent(ScriptedModel.replying(calls(call), text("Sorry, no refund.")));
    var options = RunOptions.thread("ann").checkpoints(new InMemoryCheckpointer());
    if (agent.run("Pay me back.", options) instanceof Waiting<String>(var questions)) {
      for (var action : Review.QUESTION.read(questions.getFirst()).actions()) {
        System.out.println("May I " + action.name() + " " + action.args() + "?");
      }
      var no = Review.Decisions.of(new Decision.Reject(Optional.of("It is too late.")));
      var answers = Answers.none().and(Review.QUESTION.answer(questions.getFirst(), no));
      System.out.println(agent.resume(answers, options).answer());
    }
  }
}
