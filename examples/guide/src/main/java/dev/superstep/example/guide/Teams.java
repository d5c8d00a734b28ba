package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.team.MapOver;
import dev.superstep.team.PlannedWork;
import dev.superstep.team.Swarm;
import java.util.List;

/// Agents that work together. The models are scripted.
public final class Teams {
  record City(String name) {}

  private Teams() {}

  static Graph swarm(ChatModel sales, ChatModel support) {
    return Swarm.named("desk")
        .member(Agent.named("sales").model(sales), "Sells.")
        .member(Agent.named("support").model(support), "Helps with what does not work.")
        .graph();
  }

  static Graph essay(ChatModel model, ChatModel critic) {
    var planner = Agent.named("planner").model(model).build();
    var writer = Agent.named("writer").model(model).build();
    var reviewer = Agent.named("reviewer").model(critic).answering(PlannedWork.Judgement.class);
    return PlannedWork.named("essay", planner, writer, reviewer).rounds(3).graph();
  }

  static MapOver<City, String> many(ChatModel model) {
    var guide = Agent.named("guide").model(model).build();
    return MapOver.of("guides", guide, City.class, City::name, String.class).concurrency(4);
  }

  static void talk(Graph swarm) throws InterruptedException {
    var options = RunOptions.thread("ann").checkpoints(new InMemoryCheckpointer());
    if (swarm.invoke(Input.of(Swarm.MESSAGES, Message.user("It is broken.")), options)
        instanceof Completed(var state)) {
      System.out.println(state.get(Swarm.ACTIVE));
      System.out.println(state.get(Swarm.MESSAGES).getLast().text());
    }
  }

  static void write(Graph essay) throws InterruptedException {
    if (essay.invoke(Input.of(PlannedWork.TASK, "On snow.")) instanceof Completed(var state)) {
      for (var each : state.get(PlannedWork.JUDGEMENTS)) System.out.println(each);
      System.out.println(state.get(PlannedWork.WORK));
    }
  }

  static void visit(MapOver<City, String> guides) throws InterruptedException {
    var cities = Input.all(guides.items(), List.of(new City("Bergen"), new City("Oslo")));
    if (guides.graph().invoke(cities) instanceof Completed(var state)) {
      System.out.println(state.get(guides.answers()));
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var handOff = new ToolCall("c1", "transfer_to_support", "{}");
    talk(
        swarm(
            ScriptedModel.replying(ScriptedModel.calls(handOff)),
            ScriptedModel.saying("Turn it off and on.")));
    write(
        essay(
            ScriptedModel.saying("Say it is white.", "Snow is wet.", "Snow is white."),
            ScriptedModel.saying(
                "{\"passed\":false,\"notes\":\"Follow the plan.\"}",
                "{\"passed\":true,\"notes\":\"\"}")));
    visit(many(ScriptedModel.by(r -> ScriptedModel.text("See " + r.messages().getLast().text()))));
  }
}
