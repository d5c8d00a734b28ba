package dev.superstep.example.triage;

import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;

/// What the model says of a message, and all that it can say, however the message talks to it. The
/// texts come first: a small model chooses better after it has put the matter into words.
record Triage(
    @Description("What the message is about, in one short sentence.")
        @Limits(minLength = 1, maxLength = 100)
        String summary,
    @Description("What the sender asks for, in a few words.") @Limits(minLength = 1, maxLength = 80)
        String request,
    Category category,
    Urgency urgency) {

  enum Category {
    REFUND,
    INVOICE,
    ACCESS,
    LEGAL,
    DELETION,
    FAULT,
    QUESTION,
    PRAISE,
    SPAM
  }

  enum Urgency {
    LOW,
    NORMAL,
    HIGH
  }
}
