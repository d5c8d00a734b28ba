package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.HostQueue;
import dev.superstep.agent.HostQueue.Lane;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;

/// People who say more while an agent is at work. The model is scripted: it repeats what it heard
/// last.
public final class Talking {
  record Mail(String from, String text) {}

  record Nothing() {}

  private Talking() {}

  public static void main(String[] args) throws InterruptedException {
    var queue = HostQueue.<Mail>of(mail -> Message.user(mail.from() + ": " + mail.text()));
    var search =
        Tool.of(
            "search",
            "Searches trains.",
            Nothing.class,
            (_, _) -> {
              // Somebody else's thread, in the midst of the agent's work:
              queue.add(Lane.COLLECT, new Mail("bob", "I get off in Voss."));
              queue.add(Lane.STEER, new Mail("ann", "No night trains!"));
              queue.add(Lane.FOLLOW_UP, new Mail("bob", "And back?"));
              return "23:25, 06:20";
            });
    var model =
        ScriptedModel.by(request -> {
          var heard = request.messages().getLast().text();
          return heard.endsWith("Bergen.")
              ? ScriptedModel.calls(new ToolCall("c1", "search", "{}"))
              : ScriptedModel.text("I heard " + heard);
        });
    var agent = Agent.named("traveller").model(model).tools(search).build();
    var options = RunOptions.thread("trip").checkpoints(new InMemoryCheckpointer());
    queue.run(
        agent,
        new Mail("ann", "Take us to Bergen."),
        options,
        result -> System.out.println(result.answer()));
    model.requests().getLast().messages().forEach(said -> System.out.println("- " + said.text()));
  }
}
