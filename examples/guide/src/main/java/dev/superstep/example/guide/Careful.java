package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.middleware.Caching;
import dev.superstep.middleware.Fallback;
import dev.superstep.middleware.InMemoryResponseCache;
import dev.superstep.middleware.ModelCallLimit;
import dev.superstep.middleware.Pii;
import dev.superstep.middleware.Redacting;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import java.time.Duration;
import java.util.List;

/// An agent that copes with models that fail, spares calls, and keeps addresses to itself.
public final class Careful {
  private Careful() {}

  static Agent<String> agent(ChatModel model, ChatModel second) {
    var cache = InMemoryResponseCache.holding(1_000, 10_000_000);
    return Agent.named("support")
        .model(model)
        .middleware(
            ModelCallLimit.perThread(200).answering("Let us go on by telephone."),
            Redacting.of(Pii.email(), Pii.creditCard()).masking(),
            Caching.in(cache).ttl(Duration.ofHours(1)),
            Fallback.to(second),
            Retrying.times(3))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var down =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.OVERLOADED, "Too many customers.");
        });
    var second = ScriptedModel.saying("I have noted it.", "A parcel takes three days.");
    var options =
        RunOptions.defaults()
            .sleeper(_ -> {}) // an example should not keep you waiting
            .listener(AgentEvent.listener(Careful::print));
    var result = agent(down, second).run("I am ann@example.org, card 4111 1111 1111 1111", options);
    for (var message : result.report().conversation()) System.out.println(message.text());

    var agent = agent(second, down);
    List<Message> question = List.of(Message.user("How long does a parcel take?"));
    System.out.println(agent.run(question, options).answer());
    System.out.println(agent.run(question, options).answer());
  }

  private static void print(AgentEvent event) {
    switch (event) {
      case AgentEvent.RetryScheduled e -> System.out.println("  attempt " + e.attempt());
      case AgentEvent.FallbackSelected e -> System.out.println("  another model: " + e.code());
      case AgentEvent.ContentRedacted e -> System.out.println("  redacted: " + e.what());
      case AgentEvent.CacheHit _ -> System.out.println("  from the cache");
      default -> {}
    }
  }
}
