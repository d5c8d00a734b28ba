package dev.superstep.middleware;

import dev.superstep.message.Message;
import dev.superstep.message.UserMessage;

/// Text that was looked up for a prompt, and that the prompt can do without. It is marked by the id
/// of its message.
public final class RetrievedText {
  private static final String MARK = "retrieved:";

  private RetrievedText() {}

  /// A message for one prompt.
  ///
  /// @param source says where the text is from
  public static Message message(String source, String text) {
    return new UserMessage(MARK + source, text);
  }

  /// Returns true if a message is such a text.
  public static boolean is(Message message) {
    return message.id().startsWith(MARK);
  }
}
