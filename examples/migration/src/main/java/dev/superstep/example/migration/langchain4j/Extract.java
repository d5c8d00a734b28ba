package dev.superstep.example.migration.langchain4j;

import dev.superstep.model.ScriptedModel;
import dev.superstep.model.StructuredCall;
import dev.superstep.schema.Description;
import java.util.List;

/// A mail that becomes a record.
public final class Extract {
  enum Urgency {
    LOW,
    HIGH
  }

  record Ticket(
      @Description("in one sentence") String summary, Urgency urgency, List<Integer> orders) {}

  private Extract() {}

  public static void main(String[] args) throws InterruptedException {
    var model =
        ScriptedModel.saying(
            """
            {"summary": "Both lamps are broken.", "urgency": "HIGH", "orders": [17, 18]}\
            """);
    var reader = StructuredCall.of(model, Ticket.class);
    var ticket = reader.ask("Read this mail:\nThe lamps of 17 and 18 broke. Help!").value();
    System.out.println(ticket.summary());
    System.out.println(ticket.urgency() + " " + ticket.orders());
  }
}
