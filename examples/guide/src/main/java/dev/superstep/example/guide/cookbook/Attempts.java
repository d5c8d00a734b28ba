package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// A model call that is repeated when the vendor fails.
public final class Attempts {
  private Attempts() {}

  static Agent<String> agent(ChatModel model) {
    return Agent.named("helper")
        .model(model)
        .middleware(Retrying.times(4).backoff(Duration.ofMillis(500), 2, Duration.ofSeconds(10)))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var calls = new AtomicInteger();
    var model =
        ScriptedModel.by(_ -> {
          if (calls.incrementAndGet() < 3) {
            throw new ModelException(ModelException.Kind.RATE_LIMITED, "Slow down.");
          }
          return ScriptedModel.text("Here I am.");
        });
    var options =
        RunOptions.defaults()
            .sleeper(_ -> {}) // an example should not keep you waiting
            .listener(AgentEvent.listener(Attempts::print));
    System.out.println(agent(model).run("Hello?", options).answer());
  }

  private static void print(AgentEvent event) {
    if (event instanceof AgentEvent.RetryScheduled e) System.out.println("attempt " + e.attempt());
  }
}
