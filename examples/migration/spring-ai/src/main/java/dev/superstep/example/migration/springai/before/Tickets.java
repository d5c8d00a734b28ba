package dev.superstep.example.migration.springai.before;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;

/// A mail that becomes a record.
public final class Tickets {
  enum Urgency {
    LOW,
    HIGH
  }

  record Ticket(
      @JsonPropertyDescription("in one sentence") String summary,
      Urgency urgency,
      List<Integer> orders) {}

  private Tickets() {}

  public static void main(String[] args) {
    var model =
        new ScriptedModel(
            ScriptedModel.text(
                """
                {"summary": "Both lamps are broken.", "urgency": "HIGH", "orders": [17, 18]}"""));
    var ticket =
        ChatClient.create(model)
            .prompt()
            .system("Read the mail.")
            .user("The lamps of 17 and 18 broke. Help!")
            .call()
            .entity(Ticket.class);
    System.out.println(ticket.summary());
    System.out.println(ticket.urgency() + " " + ticket.orders());
  }
}
