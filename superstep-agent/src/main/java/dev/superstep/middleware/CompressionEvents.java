package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.PromptLayout;
import java.util.List;

/// Tells what was left out of a prompt.
final class CompressionEvents {
  private CompressionEvents() {}

  /// The smaller request, after telling of it.
  ///
  /// @param by what was done, by which policy
  /// @param sources the ids of the messages that are gone or shorter
  static ChatRequest publish(
      ChatRequest before,
      ChatRequest after,
      String by,
      List<String> sources,
      AgentContext context) {
    if (context.node().hasListeners()) {
      var counter = context.counter();
      boolean keepsPrefix = PromptLayout.prefixOf(before).equals(PromptLayout.prefixOf(after));
      context.emit(
          new AgentEvent.ContextCompressed(
              context.agent(),
              by,
              sources,
              counter.count(before),
              counter.count(after),
              keepsPrefix));
    }
    return after;
  }
}
