package dev.superstep.middleware;

import dev.superstep.model.ChatRequest;
import dev.superstep.model.TokenCounter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Shows the model only the newest part of a conversation. The thread keeps all of it.
///
/// Instructions and what the user said last always stay, and tool calls stay with their answers, so
/// the prompt may be a little larger than asked for. Immutable.
public final class Trimming implements Middleware {
  private final ConversationTail extent;

  private Trimming(ConversationTail extent) {
    this.extent = extent;
  }

  /// Shows as much of the conversation's end.
  ///
  /// @param extent in tokens, instructions and tools count, too
  public static Trimming to(ConversationTail extent) {
    return new Trimming(extent);
  }

  @Override
  public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
    return trimmed(request, context);
  }

  /// The smaller request, or the same one.
  ChatRequest trimmed(ChatRequest request, AgentContext context) {
    var all = MessageGroup.of(request);
    var dropped = MessageGroup.older(all, room(request, context.counter()), context.counter());
    if (dropped.isEmpty()) return request;
    return without(request, all, dropped, "trimming to " + extent, context);
  }

  /// The extent that is left for messages when tools and the like are in the prompt.
  private ConversationTail room(ChatRequest request, TokenCounter counter) {
    return switch (extent) {
      case ConversationTail.Messages _ -> extent;
      case ConversationTail.Tokens(long count) -> {
        long rest = counter.count(request);
        for (var message : request.messages()) rest -= counter.count(message);
        yield ConversationTail.tokens(Math.max(1, count - rest));
      }
    };
  }

  static ChatRequest without(
      ChatRequest request,
      List<MessageGroup> all,
      List<MessageGroup> dropped,
      String by,
      AgentContext context) {
    // Two parts may be equal, and only one of them old.
    Set<MessageGroup> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    gone.addAll(dropped);
    var kept = all.stream().filter(one -> !gone.contains(one)).toList();
    var after = request.withMessages(MessageGroup.join(kept));
    return CompressionEvents.publish(request, after, by, MessageGroup.ids(dropped), context);
  }

  @Override
  public String toString() {
    return "Trimming[" + extent + "]";
  }
}
