package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.middleware.Detector;
import dev.superstep.middleware.Pii;
import dev.superstep.middleware.Redacting;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;

/// Personal data that no model and no listener sees.
public final class Redacted {
  private Redacted() {}

  static Agent<String> agent(ChatModel model) {
    var customer = Detector.matching("customer number", "K-\\d{6}");
    return Agent.named("support")
        .model(model)
        .middleware(Redacting.of(Pii.email(), Pii.iban(), customer))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.saying("I will write to you.");
    agent(model).run("I am ann@example.org, customer K-123456, Ann Meyer.");
    System.out.println(model.requests().getFirst().messages().getLast().text());
  }
}
