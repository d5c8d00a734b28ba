package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.event.Event;
import dev.superstep.event.EventFilter;
import dev.superstep.event.Kind;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;

/// Shows what an agent says while it says it. A scripted model says all in one piece.
public final class Streaming {
  private Streaming() {}

  static AgentResult<String> show(Agent<String> agent, String question, RunOptions options)
      throws InterruptedException {
    try (var run = agent.stream(question, options)) {
      for (var event : run.only(EventFilter.kinds(Kind.MESSAGES))) {
        if (event instanceof Event.TextArrived e) System.out.print(e.piece().text());
      }
      System.out.println();
      return run.result();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    var agent = Agent.named("teller").model(ScriptedModel.saying("Once upon a time.")).build();
    var result = show(agent, "Tell me a story.", RunOptions.defaults());
    System.out.println(result.report().modelCalls() + " model call");
  }
}
