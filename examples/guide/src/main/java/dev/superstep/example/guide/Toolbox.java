package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What tools can take and give. The model is scripted.
public final class Toolbox {
  record None() {}

  record Order(@Description("the number on the receipt") int number) {}

  record Orders(Map<Integer, String> all) {}

  static final Tool TODAY =
      Tool.of("today", "Tells the date.", None.class, (_, _) -> "2026-11-22")
          .withPolicy(ToolPolicy.readOnly());

  static final Tool FIND =
      Tool.of(
              "find_order",
              "Tells what was ordered.",
              Order.class,
              (order, context) -> {
                var found = context.get(Orders.class).all().get(order.number());
                if (found == null) return ToolResult.error("There is no order " + order.number());
                return ToolResult.of(found).withArtifact(Json.of(order));
              })
          .withPolicy(ToolPolicy.readOnly())
          .withTimeout(Duration.ofSeconds(5))
          .withResultLimit(4_000);

  static final Tool CANCEL =
      Tool.of(
              "cancel_order",
              "Cancels an order. This ends the conversation.",
              Order.class,
              (order, context) -> {
                String once = context.idempotencyKey(); // for the service that cancels it
                return ToolResult.of("Cancelled " + order.number() + ", " + once.endsWith("c3"))
                    .asFinal();
              })
          .withPolicy(ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).idempotent());

  static final Tool PHOTO =
      Tool.of(
          "photo",
          "Shows an order.",
          Order.class,
          (_, _) -> ToolResult.of(List.of(new Content.Image("image/png", "iVBORw0KGgo="))));

  private Toolbox() {}

  static Agent<String> agent(ChatModel model, Orders orders) {
    return Agent.named("orders")
        .model(model)
        .tools(TODAY, FIND, CANCEL, PHOTO)
        .injected(ToolDependencies.none().and(Orders.class, orders))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "today", ""),
                new ToolCall("c2", "find_order", "{\"number\":7}"),
                new ToolCall("c4", "find_order", "{\"number\":\"x\"}"),
                new ToolCall("c5", "find_order", "{\"number\":8}")),
            ScriptedModel.calls(new ToolCall("c3", "cancel_order", "{\"number\":7}")));
    var result = agent(model, new Orders(Map.of(7, "a blue lamp"))).run("Cancel my lamp, 7.");
    for (var message : result.report().conversation()) {
      if (message instanceof ToolMessage tool) System.out.println(tool.tool() + ": " + tool.text());
    }
    System.out.println(result.answer());
  }
}
