package dev.superstep.spring.ai.guide;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.model.Effort;
import dev.superstep.model.ScriptedModel;
import dev.superstep.spring.ai.ForSpringAi;
import dev.superstep.spring.ai.FromSpringAi;
import dev.superstep.spring.ai.SuperstepChatOptions;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.annotation.ToolParam;

/// The programs of the page on Spring AI. The models here are scripted ones.
public final class SpringAiGuide {
  /// Tools of Spring AI.
  public static final class Shop {
    @org.springframework.ai.tool.annotation.Tool(description = "Finds an order by its number.")
    public String findOrder(@ToolParam(description = "as on the bill") int number) {
      return "order " + number + ": a blue lamp";
    }
  }

  record City(String name) {}

  private SpringAiGuide() {}

  static Agent<String> clerk(ChatModel theirs) {
    var tools =
        FromSpringAi.tools(new Shop()).stream()
            .map(tool -> tool.withPolicy(ToolPolicy.readOnly()))
            .toArray(Tool[]::new);
    return Agent.named("clerk")
        .model(FromSpringAi.model("theirs", theirs))
        .tools(tools)
        .gate(ToolGate.strict().confirming(SideEffect.PAYMENT))
        .build();
  }

  static String weather(dev.superstep.model.ChatModel ours) {
    var tool = Tool.of("weather", "Tells it.", City.class, (city, _) -> "rain in " + city.name());
    return ChatClient.create(ForSpringAi.model(ours))
        .prompt("Do I need an umbrella in Bergen?")
        .options(SuperstepChatOptions.builder().request(asked -> asked.withEffort(Effort.LOW)))
        .tools(ForSpringAi.callback(tool))
        .call()
        .content();
  }

  public static void main(String[] args) throws InterruptedException {
    var asks = ScriptedModel.calls(new ToolCall("c1", "find_order", "{\"number\":7}"));
    var model = ScriptedModel.replying(asks, ScriptedModel.text("It is a blue lamp."));
    System.out.println(clerk(ForSpringAi.model(model)).run("What is order 7?").answer());
    var looks = ScriptedModel.calls(new ToolCall("c1", "weather", "{\"name\":\"Bergen\"}"));
    System.out.println(weather(ScriptedModel.replying(looks, ScriptedModel.text("Yes."))));
  }
}
