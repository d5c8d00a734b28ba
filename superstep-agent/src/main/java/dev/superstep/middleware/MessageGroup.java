package dev.superstep.middleware;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.TokenCounter;
import java.util.ArrayList;
import java.util.List;

/// Messages of a prompt that stay together: one message, or tool calls with their answers.
///
/// @param isPinned whether the prompt cannot do without: instructions, the stable prefix, and what
///   the user said last, which is what the model is answering
record MessageGroup(List<Message> messages, boolean isPinned) {
  MessageGroup {
    messages = List.copyOf(messages);
  }

  /// The parts of a prompt, oldest first.
  static List<MessageGroup> of(ChatRequest request) {
    var messages = request.messages();
    int asked = newestQuestion(messages);
    var all = new ArrayList<MessageGroup>();
    for (int i = 0; i < messages.size(); ) {
      int end = end(messages, i);
      boolean isPinned =
          i < request.prefix() || i == asked || messages.get(i) instanceof SystemMessage;
      all.add(new MessageGroup(messages.subList(i, end), isPinned));
      i = end;
    }
    return all;
  }

  private static int newestQuestion(List<Message> messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (isQuestion(messages.get(i))) return i;
    }
    return -1;
  }

  /// Returns true if the message is from a user, and not from this package.
  static boolean isQuestion(Message message) {
    return message instanceof UserMessage
        && !RetrievedText.is(message)
        && !message.id().startsWith(Summarization.MARK);
  }

  private static int end(List<Message> messages, int from) {
    int end = from + 1;
    if (!(messages.get(from) instanceof AssistantMessage reply) || !reply.hasToolCalls())
      return end;
    while (end < messages.size() && messages.get(end) instanceof ToolMessage) end++;
    return end;
  }

  /// The messages of several.
  static List<Message> join(List<MessageGroup> all) {
    return all.stream().flatMap(one -> one.messages().stream()).toList();
  }

  /// Which of these are older than the newest ones that an extent holds, and may go. The newest one
  /// always stays.
  static List<MessageGroup> older(
      List<MessageGroup> all, ConversationTail extent, TokenCounter counter) {
    long left =
        switch (extent) {
          case ConversationTail.Messages(int count) -> count;
          case ConversationTail.Tokens(long count) -> count;
        };
    for (var one : all) if (one.isPinned()) left -= one.size(extent, counter);
    var older = new ArrayList<MessageGroup>();
    boolean isFirst = true;
    for (var one : all.reversed()) {
      if (one.isPinned()) {
        isFirst &= one.messages().getFirst() instanceof SystemMessage;
        continue;
      }
      long size = one.size(extent, counter);
      if (isFirst || (older.isEmpty() && size <= left)) left -= size;
      else older.addFirst(one);
      isFirst = false;
    }
    return older;
  }

  private long size(ConversationTail extent, TokenCounter counter) {
    return switch (extent) {
      // Instructions are no part of the conversation whose messages are counted.
      case ConversationTail.Messages _ ->
          messages.getFirst() instanceof SystemMessage ? 0 : messages.size();
      case ConversationTail.Tokens _ -> tokens(counter);
    };
  }

  long tokens(TokenCounter counter) {
    long sum = 0;
    for (var message : messages) sum += counter.count(message);
    return sum;
  }

  /// The ids of its messages; of an answer that has none, that of its call.
  List<String> ids() {
    return messages.stream().map(MessageGroup::id).toList();
  }

  static String id(Message message) {
    return message instanceof ToolMessage answer && answer.id().isEmpty()
        ? answer.callId()
        : message.id();
  }

  static List<String> ids(List<MessageGroup> all) {
    return all.stream().flatMap(one -> one.ids().stream()).toList();
  }
}
