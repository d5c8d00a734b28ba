package dev.superstep.message;

/// What a person, or the program in a person's place, says to the model.
public record UserMessage(String id, String text) implements Message {
  @Override
  public UserMessage withId(String other) {
    return new UserMessage(other, text);
  }
}
