package dev.superstep.example.guide.cookbook;

import dev.superstep.agent.Agent;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;

/// An agent that answers with a record.
public final class Classified {
  enum Urgency {
    LOW,
    HIGH
  }

  record Ticket(@Description("in one sentence") String summary, Urgency urgency) {}

  private Classified() {}

  static Agent<Ticket> agent(ChatModel model) {
    return Agent.named("desk")
        .model(model)
        .instructions("Read the mail and fill in the ticket.")
        .answering(Ticket.class);
  }

  public static void main(String[] args) throws InterruptedException {
    var model = ScriptedModel.saying("{\"summary\":\"The shop is down.\",\"urgency\":\"HIGH\"}");
    Ticket ticket = agent(model).run("Nothing works! Please help!").answer();
    System.out.println(ticket.urgency() + ": " + ticket.summary());
  }
}
