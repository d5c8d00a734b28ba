package dev.superstep.message;

import java.util.List;

/// Instructions that hold for the whole conversation.
///
/// @param id names the segment of the prompt that it is: `instructions`, `policy` and so on
public record SystemMessage(String id, String text) implements Message {
  @Override
  public List<Content> content() {
    return Content.of(text);
  }

  @Override
  public SystemMessage withId(String other) {
    return new SystemMessage(other, text);
  }
}
