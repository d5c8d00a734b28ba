package dev.superstep.example.migration.springai;

import dev.superstep.agent.Agent;
import dev.superstep.model.ScriptedModel;
import dev.superstep.schema.Description;
import java.util.List;

/// A mail that becomes a record.
public final class Tickets {
  enum Urgency {
    LOW,
    HIGH
  }

  record Ticket(
      @Description("in one sentence") String summary, Urgency urgency, List<Integer> orders) {}

  private Tickets() {}

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.saying(
            """
            {"summary": "Both lamps are broken.", "urgency": "HIGH", "orders": [17, 18]}\
            """);
    Agent<Ticket> reader =
        Agent.named("reader").model(model).instructions("Read the mail.").answering(Ticket.class);
    var ticket = reader.run("The lamps of 17 and 18 broke. Help!").answer();
    System.out.println(ticket.summary());
    System.out.println(ticket.urgency() + " " + ticket.orders());
  }
}
