package dev.superstep.model;

import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Instructions and the conversation after them, as one list. Immutable, if the conversation is.
final class InstructedConversation extends AbstractList<Message> implements RandomAccess {
  private final SystemMessage instructions;
  private final List<Message> conversation;

  InstructedConversation(SystemMessage instructions, List<Message> conversation) {
    this.instructions = instructions;
    this.conversation = conversation;
  }

  @Override
  public Message get(int index) {
    return index == 0 ? instructions : conversation.get(index - 1);
  }

  @Override
  public int size() {
    return conversation.size() + 1;
  }
}
