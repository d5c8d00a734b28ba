package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;

/// A tool that knows the user without telling the model.
public final class Injection {
  record User(String id) {}

  record Nothing() {}

  private Injection() {}

  static Agent<String> agent(ChatModel model, User user) {
    var orders =
        Tool.of(
            "my_orders",
            "Lists the orders of the customer.",
            Nothing.class,
            (_, context) -> "orders of " + context.get(User.class).id() + ": 17, 18");
    return Agent.named("shop")
        .model(model)
        .tools(orders)
        .injected(ToolDependencies.none().and(User.class, user))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.replying(calls(new ToolCall("c1", "my_orders", "{}")), text("Two."));
    var result = agent(model, new User("ann")).run("How many orders do I have?");
    System.out.println(result.report().conversation().get(2).text());
    var shown = model.requests().getFirst().tools().getFirst();
    System.out.println("the model is shown: " + shown.parameters().text());
  }
}
