package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;

/// An agent with two tools, a memory, a budget and a typed answer. The model here is scripted, so
/// that the program runs anywhere; any other `ChatModel` takes its place.
public final class Traveller {
  record City(@Description("in English") String name) {}

  record Advice(@Description("one sentence") String text, boolean umbrella) {}

  private Traveller() {}

  static Agent<Advice> agent(ChatModel model) {
    return Agent.named("traveller")
        .model(model)
        .instructions("Say how to get there and what to take along.")
        .tools(
            Tool.of("weather", "Tells the weather.", City.class, (c, _) -> "rain in " + c.name()),
            Tool.of("trains", "Lists trains.", City.class, (c, _) -> "10:05 to " + c.name()))
        .budget(Budget.unlimited().totalTokens(50_000))
        .answering(Advice.class);
  }

  static void talk(ChatModel model) throws InterruptedException {
    var agent = agent(model);
    var memory = RunOptions.thread("ada").checkpoints(new InMemoryCheckpointer());
    Advice there = agent.run("I want to go to Bergen.", memory).answer();
    System.out.println(there.text() + (there.umbrella() ? " Take an umbrella." : ""));
    Advice back = agent.run("And back?", memory).answer(); // it knows where from
    System.out.println(back.text());
  }

  public static void main(String[] args) throws InterruptedException {
    talk(
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "weather", "{\"name\":\"Bergen\"}"),
                new ToolCall("c2", "trains", "{\"name\":\"Bergen\"}")),
            answer("Take the train at 10:05.", true),
            answer("Trains back leave every hour.", false)));
  }

  private static dev.superstep.model.ChatReply answer(String text, boolean umbrella) {
    var arguments = "{\"text\":\"" + text + "\",\"umbrella\":" + umbrella + "}";
    return ScriptedModel.calls(new ToolCall("a", "answer", arguments));
  }
}
