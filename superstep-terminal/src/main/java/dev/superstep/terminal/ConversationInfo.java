package dev.superstep.terminal;

import java.time.Instant;

/// The facts about a conversation that hold from its beginning on. Stored.
///
/// @param id of its thread, in the order of time
/// @param session to which it belongs
/// @param name for people
/// @param provider of its models
/// @param prompt what the person asked for, redacted
public record ConversationInfo(
    String id, String session, String name, String provider, String prompt, Instant created) {
  /// Returns a copy for a thread, which a fork has of its own.
  ConversationInfo in(String thread) {
    return thread.equals(id)
        ? this
        : new ConversationInfo(thread, session, name, provider, prompt, created);
  }
}
