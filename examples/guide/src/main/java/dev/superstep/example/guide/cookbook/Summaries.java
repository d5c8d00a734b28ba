package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.ConversationTail;
import dev.superstep.middleware.Summarization;
import dev.superstep.middleware.Trigger;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;

/// A long conversation that a small model summarizes.
public final class Summaries {
  private Summaries() {}

  static Agent<String> agent(ChatModel model, ChatModel small) {
    return Agent.named("friend")
        .model(model)
        .middleware(
            Summarization.by(small, Trigger.messages(4), Trigger.tokens(100_000))
                .withTail(ConversationTail.messages(2)))
        .build();
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.saying("Nice!", "Did you?", "I know.");
    var agent = agent(model, ScriptedModel.saying("Ann went sailing, and it rained."));
    var options = RunOptions.thread("ann").checkpoints(new InMemoryCheckpointer());
    agent.run("Yesterday I took my boat out to the island, with my sister.", options);
    agent.run("It rained all day, and the wind broke the mast on our way back.", options);
    agent.run("What a day!", options);
    for (var message : model.requests().getLast().messages()) {
      System.out.println("sent: " + message.text().replaceAll("\\s+", " "));
    }
  }
}
