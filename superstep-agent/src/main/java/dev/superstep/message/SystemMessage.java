package dev.superstep.message;

/// Instructions that hold for the whole conversation.
public record SystemMessage(String id, String text) implements Message {
  @Override
  public SystemMessage withId(String other) {
    return new SystemMessage(other, text);
  }
}
