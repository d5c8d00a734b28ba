package dev.superstep.example.guide;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.superstep.agent.Agent;
import dev.superstep.langchain4j.ForLangChain4j;
import dev.superstep.langchain4j.FromLangChain4j;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;

/// A model and tools of LangChain4j in an agent. The model here is a scripted one in their clothes.
public final class Bridge {
  static class Calculator {
    @Tool("Adds two numbers.")
    long add(
        @P(name = "a", value = "one number") long a, @P(name = "b", value = "another") long b) {
      return a + b;
    }
  }

  private Bridge() {}

  static Agent<String> agent(dev.langchain4j.model.chat.ChatModel theirs) {
    var tools =
        FromLangChain4j.tools(new Calculator()).stream()
            .map(tool -> tool.withPolicy(ToolPolicy.readOnly()))
            .toArray(dev.superstep.tool.Tool[]::new);
    return Agent.named("sums")
        .model(FromLangChain4j.model("nova", theirs))
        .tools(tools)
        .gate(ToolGate.strict().confirming(SideEffect.PAYMENT))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var scripted =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "add", "{\"a\":2,\"b\":3}")),
            ScriptedModel.text("It is 5."));
    var result = agent(ForLangChain4j.model(scripted)).run("2 and 3?");
    for (var message : result.report().conversation()) System.out.println("> " + message.text());
  }
}
