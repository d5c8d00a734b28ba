package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;

/// An agent that asks a person before it pays, and another agent that it asks what is allowed. The
/// models are scripted.
public final class Refunds {
  record Order(int number) {}

  static final Tool REFUND =
      Tool.of("refund", "Pays an order back.", Order.class, (o, _) -> "Paid back " + o.number())
          .withPolicy(ToolPolicy.of(SideEffect.PAYMENT));

  private Refunds() {}

  static Agent<String> desk(ChatModel model, ChatModel other) {
    var rules = Agent.named("rules").model(other).instructions("You know the rules.").build();
    return Agent.named("desk")
        .model(model)
        .tools(REFUND)
        .agent(rules, "Says what is allowed.")
        .gate(ToolGate.open().confirming(SideEffect.PAYMENT))
        .budget(Budget.unlimited().calls(10))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "rules", "{\"task\":\"Refunds?\"}")),
            ScriptedModel.calls(new ToolCall("c2", "refund", "{\"number\":17}")),
            ScriptedModel.text("The money is on its way."));
    var desk = desk(model, ScriptedModel.saying("Within 30 days."));
    var options = RunOptions.thread("t-17").checkpoints(new InMemoryCheckpointer());
    if (desk.run("Pay me back.", options) instanceof AgentResult.Waiting<String>(var questions)) {
      var answers = // days later, in another process
          Review.decide(
              questions,
              action -> {
                System.out.println("May I " + action.name() + " " + action.args() + "?");
                return Review.Decision.approve(); // or reject("Ask for the receipt first.")
              });
      var result = desk.resume(answers, options);
      System.out.println(result.answer());
      System.out.println(result.report().spent().calls() + " model calls");
    }
  }
}
