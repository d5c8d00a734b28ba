package dev.superstep.example.guide.operations;

import dev.superstep.agent.Agent;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.util.function.Consumer;

/// Tells how long each model call took. Safe for many threads, if who is told is.
public final class Stopwatch implements Middleware {
  private final Consumer<Duration> told;

  /// @param told hears of each call, when it has returned or failed
  public Stopwatch(Consumer<Duration> told) {
    this.told = told;
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    long began = System.nanoTime();
    try {
      return next.call(request);
    } finally {
      told.accept(Duration.ofNanos(System.nanoTime() - began));
    }
  }

  /// Asks an agent with it.
  public static void main(String[] arguments) throws InterruptedException {
    var agent =
        Agent.named("clerk")
            .model(ScriptedModel.saying("Good morning."))
            .middleware(new Stopwatch(took -> System.out.println(took.toMinutes() + " minutes")))
            .build();
    System.out.println(agent.run("Say good morning.").report().conversation().getLast().text());
  }
}
