package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.Tools;

/// A method of a class as a tool.
public final class MethodTool {
  /// A part of the program, with one method for the model.
  public static final class Stock {
    @ToolMethod("Tells how many pieces of a product are in stock.")
    public int inStock(@Description("such as A-17") String product) {
      return product.equals("A-17") ? 3 : 0;
    }
  }

  private MethodTool() {}

  static Agent<String> agent(ChatModel model) {
    return Agent.named("shop").model(model).tools(Tools.from(new Stock())).build();
  }

  public static void main(String[] args) throws InterruptedException {
    var call = new ToolCall("c1", "in_stock", "{\"product\":\"A-17\"}");
    var model = ScriptedModel.replying(calls(call), text("Three are left."));
    var result = agent(model).run("Do you have A-17?");
    System.out.println(result.report().conversation().get(2).text());
    System.out.println(result.answer());
  }
}
