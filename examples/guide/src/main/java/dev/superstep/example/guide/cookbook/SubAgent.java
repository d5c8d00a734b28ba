package dev.superstep.example.guide.cookbook;

import static dev.superstep.model.ScriptedModel.calls;
import static dev.superstep.model.ScriptedModel.text;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;

/// An agent that asks another agent.
public final class SubAgent {
  private SubAgent() {}

  static Agent<String> editor(ChatModel model, ChatModel small) {
    var researcher =
        Agent.named("researcher").model(small).instructions("Find facts.").modelCalls(5).build();
    return Agent.named("editor")
        .model(model)
        .agent(researcher, "Finds facts about a subject.")
        .budget(Budget.unlimited().calls(20)) // of both together
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var call = new ToolCall("c1", "researcher", "{\"task\":\"What do whales eat?\"}");
    var model = ScriptedModel.replying(calls(call), text("Whales eat krill."));
    var result = editor(model, ScriptedModel.saying("Krill.")).run("Write a line about whales.");
    System.out.println(result.answer());
    System.out.println(result.report().spent().calls() + " calls of both");
  }
}
