package dev.superstep.example.migration.langchain4j;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.Tools;

/// An agent with tools, and a thread for each customer.
public final class Support {
  /// The tools of the clerk.
  public static final class Shop {
    @ToolMethod("Finds an order by its number.")
    public String findOrder(@Description("as on the bill") int number) {
      return "order " + number + ": a blue lamp, sent on Monday";
    }

    @ToolMethod("Cancels an order.")
    public String cancelOrder(@Description("as on the bill") int number) {
      return "order " + number + " is cancelled";
    }
  }

  private Support() {}

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "find_order", "{\"number\": 17}")),
            ScriptedModel.text("Your lamp was sent on Monday."),
            ScriptedModel.calls(new ToolCall("c2", "cancel_order", "{\"number\": 17}")),
            ScriptedModel.text("Order 17 is cancelled."));
    var clerk =
        Agent.named("clerk")
            .model(model)
            .instructions("You work for a lamp shop.")
            .tools(Tools.from(new Shop()))
            .build();
    var ada = RunOptions.thread("ada").checkpoints(new InMemoryCheckpointer());
    System.out.println(clerk.run("Where is order 17?", ada).answer());
    var cancelled = clerk.run("Cancel it.", ada);
    System.out.println(cancelled.answer());
    System.out.println(cancelled.report().conversation().size() + " messages in the memory");
  }
}
