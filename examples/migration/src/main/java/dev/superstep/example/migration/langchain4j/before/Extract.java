package dev.superstep.example.migration.langchain4j.before;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.output.structured.Description;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.UserMessage;
import java.util.List;

/// A mail that becomes a record.
public final class Extract {
  enum Urgency {
    LOW,
    HIGH
  }

  record Ticket(
      @Description("in one sentence") String summary, Urgency urgency, List<Integer> orders) {}

  interface Reader {
    @UserMessage("Read this mail:\n{{it}}")
    Ticket read(String mail);
  }

  private Extract() {}

  public static void main(String[] args) {
    var model =
        new ScriptedModel(
            AiMessage.from(
                """
                {"summary": "Both lamps are broken.", "urgency": "HIGH", "orders": [17, 18]}\
                """));
    var ticket = AiServices.create(Reader.class, model).read("The lamps of 17 and 18 broke. Help!");
    System.out.println(ticket.summary());
    System.out.println(ticket.urgency() + " " + ticket.orders());
  }
}
