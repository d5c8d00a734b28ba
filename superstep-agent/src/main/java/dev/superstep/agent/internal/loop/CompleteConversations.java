package dev.superstep.agent.internal.loop;

import dev.superstep.message.Conversations;
import dev.superstep.message.Message;
import dev.superstep.node.ContextKey;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// The conversations of one agent of a run that are known to be complete, so that a turn looks only
/// at the messages that are new to it.
final class CompleteConversations {
  private static final ContextKey<ByAgent> KEY =
      ContextKey.of("complete-conversations", ByAgent.class);

  private volatile List<Message> known = List.of();

  /// Those of all agents of a run. Safe for many threads.
  private static final class ByAgent {
    private final ConcurrentHashMap<String, CompleteConversations> byRun =
        new ConcurrentHashMap<>();
  }

  private CompleteConversations() {}

  static CompleteConversations of(TurnContext context) {
    var all = context.node().shared(KEY, ByAgent::new);
    return all.byRun.computeIfAbsent(context.run(), _ -> new CompleteConversations());
  }

  /// The conversation as [Conversations#complete] makes it.
  List<Message> complete(List<Message> messages) {
    var before = known;
    int from = Channel.isExtension(messages, before) ? before.size() : 0;
    if (!Conversations.isComplete(messages, from)) return Conversations.complete(messages);
    known = messages;
    return messages;
  }
}
