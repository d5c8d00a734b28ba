package dev.superstep.example.migration.langgraph;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;

/// An agent with two tools that remembers its thread.
public final class Travel {
  record Place(String city) {}

  private static final Tool WEATHER =
      Tool.of(
          "weather",
          "Tells the weather of a city.",
          Place.class,
          (place, _) -> "18 degrees and rain in " + place.city());
  private static final Tool TRAINS =
      Tool.of(
          "trains",
          "Lists the trains to a city.",
          Place.class,
          (place, _) -> "10:05 and 12:05 to " + place.city());

  private Travel() {}

  public static void main(String[] args) throws InterruptedException {
    var replies =
        ScriptedModel.replying(
            ScriptedModel.calls(
                new ToolCall("c1", "weather", "{\"city\":\"Bergen\"}"),
                new ToolCall("c2", "trains", "{\"city\":\"Bergen\"}")),
            ScriptedModel.text("Take the train at 10:05, and an umbrella."),
            ScriptedModel.text("To Bergen, as before: at 12:05."));
    Agent<String> agent =
        Agent.named("travel")
            .model(replies)
            .tools(WEATHER, TRAINS)
            .instructions("Say how to get there and what to take along.")
            .build();
    var ada = RunOptions.thread("ada").checkpoints(new InMemoryCheckpointer());

    System.out.println(agent.run("I want to go to Bergen.", ada).answer());
    AgentResult<String> result = agent.run("And a later train?", ada);
    System.out.println(result.answer());
    for (var message : result.report().conversation()) {
      System.out.println("- " + (message.text().isEmpty() ? "(calls tools)" : message.text()));
    }
  }
}
