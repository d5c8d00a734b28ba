package dev.superstep.example.guide.steering;

import dev.superstep.agent.Agent;
import dev.superstep.agent.steering.Steer;
import dev.superstep.agent.steering.Steering;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;

/// An agent that is told something while it works. The model is scripted.
public final class Planner {
  record City(String name) {}

  private Planner() {}

  static void steer(ScriptedModel model) throws InterruptedException {
    var steering = Steering.standard();
    var look =
        Tool.of(
            "look",
            "Looks at a city.",
            City.class,
            (city, _) -> { // while this runs, somebody says something
              steering.human("ada", new Steer.AddInstruction("By train."));
              return city.name() + " is wet.";
            });
    var agent = Agent.named("planner").model(model).tools(look).build();
    var result = agent.run("To Bergen!", RunOptions.defaults().with(Steering.KEY, steering));
    for (var message : result.report().conversation()) System.out.println("> " + message.text());
  }

  public static void main(String[] args) throws InterruptedException {
    steer(
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "look", "{\"name\":\"Bergen\"}")),
            ScriptedModel.text("The train leaves at ten.")));
  }
}
