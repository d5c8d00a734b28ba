package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import dev.superstep.tool.Injected;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolMethod;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.util.Locale;

/// An agent whose tools are methods. The model is scripted.
public final class Clerk {
  record Order(int number, String state) {}

  record Customer(String name) {}

  /// What a shop can do for its customers.
  public static final class Shop {
    @ToolMethod("Finds an order by its number.")
    public Order findOrder(@Description("As on the bill.") @Limits(min = 1) int number) {
      return new Order(number, "sent");
    }

    @ToolMethod("Sends the customer a voucher.")
    public String sendVoucher(int euros, @Injected Customer customer) {
      return customer.name() + " gets " + euros + " euros";
    }
  }

  private Clerk() {}

  static Agent<String> agent(ChatModel model, Customer customer) {
    var payment = ToolPolicy.of(SideEffect.PAYMENT);
    return Agent.named("clerk")
        .model(model)
        .tools(Tools.from(new Shop()).with("send_voucher", tool -> tool.withPolicy(payment)))
        .tools(Tool.from(Locale.ROOT, "getLanguage", "Tells the language of the shop."))
        .injected(ToolDependencies.none().and(Customer.class, customer))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "find_order", "{\"number\":17}"),
                new ToolCall("c2", "find_order", "{\"number\":0}"),
                new ToolCall("c3", "send_voucher", "{\"euros\":5}")),
            ScriptedModel.text("It is on its way, and so is a voucher."));
    var result = agent(model, new Customer("Ann")).run("Where is order 17?");
    for (var tool : model.requests().getFirst().tools()) {
      System.out.println(tool.name() + " " + tool.parameters());
    }
    for (var message : result.report().conversation()) System.out.println(message.text());
  }
}
