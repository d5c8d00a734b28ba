package dev.superstep.message;

import java.util.List;

/// A message to the model from a person, or from the program in a person's place.
public record UserMessage(String id, List<Content> content) implements Message {
  public UserMessage {
    content = List.copyOf(content);
  }

  /// A message of text.
  public UserMessage(String id, String text) {
    this(id, Content.of(text));
  }

  @Override
  public String text() {
    return Content.text(content);
  }

  @Override
  public UserMessage withId(String other) {
    return new UserMessage(other, content);
  }
}
