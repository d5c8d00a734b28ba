package dev.superstep.model;

import dev.superstep.message.Message;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Messages before a conversation, such as instructions, and the conversation after them, as one
/// list. Immutable, if the conversation is.
final class InstructedConversation extends AbstractList<Message> implements RandomAccess {
  private final List<Message> leading;
  private final List<Message> conversation;

  InstructedConversation(List<Message> leading, List<Message> conversation) {
    this.leading = leading;
    this.conversation = conversation;
  }

  @Override
  public Message get(int index) {
    int before = leading.size();
    return index < before ? leading.get(index) : conversation.get(index - before);
  }

  @Override
  public int size() {
    return leading.size() + conversation.size();
  }
}
