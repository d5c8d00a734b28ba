package dev.superstep.middleware;

import dev.superstep.model.ChatRequest;

/// When a prompt has become too large. Immutable.
public sealed interface Trigger {
  /// When it has so many messages.
  record Messages(int count) implements Trigger {
    public Messages {
      if (count < 1) throw new IllegalArgumentException("messages must be at least 1");
    }
  }

  /// When it has so many tokens.
  record Tokens(long count) implements Trigger {
    public Tokens {
      if (count < 1) throw new IllegalArgumentException("tokens must be at least 1");
    }
  }

  /// When it takes this share of the model's context window; never, if the window is not known.
  record Fraction(double share) implements Trigger {
    public Fraction {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
      }
    }
  }

  /// When it has so many messages.
  static Trigger messages(int count) {
    return new Messages(count);
  }

  /// When it has so many tokens.
  static Trigger tokens(long count) {
    return new Tokens(count);
  }

  /// When it takes this share of the model's context window.
  static Trigger fraction(double share) {
    return new Fraction(share);
  }

  /// Returns true if the request is too large.
  default boolean isMet(ChatRequest request, AgentContext context) {
    return switch (this) {
      case Messages(int count) -> request.messages().size() >= count;
      case Tokens(long count) -> context.counter().count(request) >= count;
      case Fraction(double share) -> {
        var window = context.profile().contextWindow();
        yield window.isPresent() && context.counter().count(request) >= share * window.getAsLong();
      }
    };
  }
}
