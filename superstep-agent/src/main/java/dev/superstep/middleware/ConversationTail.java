package dev.superstep.middleware;

/// A length of the end of a conversation. Immutable.
public sealed interface ConversationTail {
  /// So many messages.
  record Messages(int count) implements ConversationTail {
    public Messages {
      if (count < 1) throw new IllegalArgumentException("messages must be at least 1");
    }
  }

  /// So many tokens.
  record Tokens(long count) implements ConversationTail {
    public Tokens {
      if (count < 1) throw new IllegalArgumentException("tokens must be at least 1");
    }
  }

  /// So many messages.
  static ConversationTail messages(int count) {
    return new Messages(count);
  }

  /// So many tokens.
  static ConversationTail tokens(long count) {
    return new Tokens(count);
  }
}
