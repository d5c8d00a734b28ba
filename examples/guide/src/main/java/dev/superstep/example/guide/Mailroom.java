package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.goal.AgentWork;
import dev.superstep.goal.Goal;
import dev.superstep.goal.GoalBudget;
import dev.superstep.goal.GoalLoop;
import dev.superstep.goal.GoalTools;
import dev.superstep.goal.Goals;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;

/// An agent that works on a goal until its budget is used up, and on when it is raised. The model
/// is scripted.
public final class Mailroom {
  private Mailroom() {}

  public static void main(String[] args) throws InterruptedException {
    var goals = Goals.in(InMemoryStore.open());
    var threads = new InMemoryCheckpointer();
    var done = new ToolCall("c1", "goal_complete", "{\"result\":\"3 letters answered\"}");
    var model =
        ScriptedModel.replying(
            ScriptedModel.text("The first is answered."),
            ScriptedModel.text("The second is answered."),
            ScriptedModel.calls(done),
            ScriptedModel.text("All are answered."));
    var clerk = Agent.named("clerk").model(model).tools(GoalTools.of(goals)).build();

    goals.set("ann", "Answer all open letters.", GoalBudget.unlimited().calls(2).turns(10));
    var work = AgentWork.of(clerk, thread -> RunOptions.thread(thread).checkpoints(threads));
    var loop = GoalLoop.of(goals, work).listener(goal -> System.out.println(format(goal)));
    loop.run("ann");

    goals.raise("ann", GoalBudget.unlimited().calls(8).turns(10));
    goals.resume("ann");
    var goal = loop.run("ann");
    System.out.println(goal.note());
  }

  private static String format(Goal goal) {
    return "turn %d, %d calls: %s".formatted(goal.turns(), goal.spent().calls(), goal.status());
  }
}
