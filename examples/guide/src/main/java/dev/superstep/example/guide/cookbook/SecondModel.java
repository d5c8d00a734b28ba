package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.Fallback;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;

/// Another model answers when the first is down.
public final class SecondModel {
  private SecondModel() {}

  static Agent<String> agent(ChatModel first, ChatModel second) {
    return Agent.named("helper").model(first).middleware(Fallback.to(second)).build();
  }

  public static void main(String[] args) throws InterruptedException {
    var down =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.OVERLOADED, "Too many customers.");
        });
    var options =
        RunOptions.defaults()
            .sleeper(_ -> {}) // an example should not keep you waiting
            .listener(AgentEvent.listener(SecondModel::print));
    System.out.println(
        agent(down, ScriptedModel.saying("Here I am.")).run("Hi.", options).answer());
  }

  private static void print(AgentEvent event) {
    if (event instanceof AgentEvent.FallbackSelected e) System.out.println("because: " + e.code());
  }
}
